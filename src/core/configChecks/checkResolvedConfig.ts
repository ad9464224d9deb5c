import type { Localizer } from '../../base/localizer';
import { findPathRange, type ParsedConfig } from '../documents/resolvedText';
import type { ResolvedConfig } from '../fragments/resolveConfig';
import type { LoadedFragments } from '../stores/loadFragments';
import { checkConfigInSteps } from './checkConfig';
import { checkModulesInSteps, type KnownModules } from './checkModules';
import type { ConfigDiagnostic, ConfigDiagnosticCode } from './configDiagnostic';
import { formatResolveProblem } from './formatResolveProblem';
import type { ResourceNames } from './resourceNames';
import { getResolveSeverity } from './severityPolicy';

/** Problem in a config, in its fragments, or in its modules. Only fragment problems have no code. */
export interface ResolvedDiagnostic extends Omit<ConfigDiagnostic, 'code'> {
  readonly code: ConfigDiagnosticCode | undefined;
}

/** Config with its fragments applied, and the names of the fragments. */
export type CheckedResolution = Pick<ResolvedConfig, 'config' | 'problems'> &
  Pick<LoadedFragments, 'getName'>;

export interface ResolvedCheckOptions {
  /** Resolved config; undefined to check only the config's own text. */
  readonly resolved: CheckedResolution | undefined;
  /** Modules of the resolved config that were read from the registry. */
  readonly modules: KnownModules;
  /** True for a fragment config. */
  readonly isFragment: boolean;
  /** True to check the types of values, which VS Code does in an editor. */
  readonly hasTypeChecks?: boolean;
  /** Names in the config's own text, if they are known. */
  readonly names?: ResourceNames;
  /** Translates messages. */
  readonly l10n: Localizer;
}

/**
 * Checks a config completely: its own text, its modules, and the fragments that it uses. The editor
 * and all previews of changes use this check, so that they report the same problems.
 */
export function* checkResolvedConfigInSteps(
  { text, tree }: ParsedConfig,
  { resolved, modules, ...options }: ResolvedCheckOptions,
): Generator<undefined, ResolvedDiagnostic[], void> {
  const { isFragment, l10n } = options;
  const found: ResolvedDiagnostic[] = yield* checkConfigInSteps(tree, { ...options, resolved });
  if (!resolved) return found;
  const { config, problems, getName } = resolved;
  // The type checks report malformed fragments, too.
  const rejected = new Set(
    found.flatMap(({ code, path }) => (code === 'rejectedStructure' ? JSON.stringify(path) : [])),
  );
  found.push(
    ...(yield* checkModulesInSteps(tree, { resolved: config, modules, isFragment, l10n })),
  );
  for (const problem of problems) {
    yield;
    const { kind, path } = problem;
    if (kind === 'malformedImport' && rejected.has(JSON.stringify(path))) continue;
    found.push({
      code: undefined,
      severity: getResolveSeverity(kind, { isFragment }),
      message: formatResolveProblem(problem, getName, l10n),
      path,
      ...findPathRange(text, path, tree),
    });
  }
  return found;
}

/** Returns the errors and warnings that an edited config has and the saved config doesn't have. */
export function findNewDiagnostics(
  edited: readonly ResolvedDiagnostic[],
  saved: readonly ResolvedDiagnostic[],
): readonly ResolvedDiagnostic[] {
  return withoutEach(edited.filter(isProblem), saved.filter(isProblem), toProblemKey);
}

/** Returns true for an error or warning. */
export function isProblem({ severity }: ResolvedDiagnostic): boolean {
  return severity === 'error' || severity === 'warning';
}

const LIST_INDEX = /\[\d+\]/g;

/** Returns a key that is the same for the same problem at another position or list index. */
function toProblemKey({ code, message }: ResolvedDiagnostic): string {
  return JSON.stringify([code, message.replace(LIST_INDEX, '[]')]);
}

/** Returns `items` without one occurrence of each of the others, which are compared by their keys. */
export function withoutEach<T>(
  items: readonly T[],
  others: readonly T[],
  toKey: (item: T) => string,
): readonly T[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(toKey(other), (counts.get(toKey(other)) ?? 0) + 1);
  return items.filter((item) => {
    const key = toKey(item);
    const count = counts.get(key) ?? 0;
    if (count > 0) counts.set(key, count - 1);
    return count === 0;
  });
}
