import { englishLocalizer } from '../../base/localizer';
import { inSlices } from '../../base/slices';
import type { KnownModules } from '../configChecks/checkModules';
import {
  type CheckedResolution,
  checkResolvedConfigInSteps,
} from '../configChecks/checkResolvedConfig';
import { type FleetCatalog, withFleetCatalog } from '../configChecks/fleetCatalog';
import { moduleIdsIn } from '../configChecks/fleetReferences';
import { loadNestedFragments, parseFragment } from '../configChecks/nestedFragments';
import { type TextDiagnostic, toTextDiagnostics } from '../configChecks/textDiagnostics';
import { parseConfigInSteps, type ParsedConfig } from '../documents/resolvedText';
import { type ConfigVersion, findTextRisk, type SaveRisk } from '../documents/saveRisk';
import { resolveConfigInSteps } from '../fragments/resolveConfig';
import type { ToolContext } from './agentTool';

/** Config to check. */
interface CheckedConfig {
  readonly text: string;
  readonly isFragment: boolean;
  /** ID of the fragment to which the config belongs. */
  readonly fragmentId?: string | undefined;
}

/** Parts of a call that checks need. */
type CheckContext = Pick<ToolContext, 'stores' | 'signal' | 'redactor'>;

/**
 * Checks a config as the editor does. Fragments and modules are read from the fleet. Messages can
 * contain secrets of the config and of its fragments under other names, so the answer is redacted.
 */
export async function diagnoseConfig(
  { text, isFragment, fragmentId }: CheckedConfig,
  context: CheckContext,
): Promise<readonly TextDiagnostic[]> {
  const l10n = englishLocalizer;
  const { stores, signal } = context;
  const parsed = await inSlices(parseConfigInSteps(text), signal);
  if (!parsed) return toTextDiagnostics(text, { isFragment, l10n }, []);
  const diagnostics = await withFleetCatalog(stores, async (catalog) => {
    const version = await loadVersion(catalog, parsed, fragmentId, context);
    const options = { ...version, isFragment, hasTypeChecks: true, l10n };
    return inSlices(checkResolvedConfigInSteps(parsed, options), signal);
  });
  return toTextDiagnostics(text, { isFragment, l10n }, diagnostics);
}

/** Returns the number of errors and warnings. */
export function countProblems(diagnostics: readonly TextDiagnostic[]): number {
  return diagnostics.filter(({ severity }) => severity === 'error' || severity === 'warning')
    .length;
}

/** Compares a config with the saved one, as before a save in the editor. */
export async function findConfigRisk(
  saved: string,
  {
    text,
    isFragment,
    fragmentId,
    partCount,
  }: CheckedConfig & { readonly partCount: number | undefined },
  context: CheckContext,
): Promise<SaveRisk> {
  const { stores, signal } = context;
  return findTextRisk(
    { saved, edited: text },
    (before, after) =>
      withFleetCatalog(stores, async (catalog) => {
        const original = await loadVersion(catalog, before, fragmentId, context);
        const edited = await loadVersion(catalog, after, fragmentId, context);
        return original.resolved && edited.resolved && [original, edited];
      }),
    { isFragment, partCount, l10n: englishLocalizer, signal },
  );
}

/** Config with its fragments and modules. */
interface LoadedVersion extends ConfigVersion {
  readonly parsed: ParsedConfig;
  readonly resolved: CheckedResolution | undefined;
  readonly modules: KnownModules;
}

async function loadVersion(
  catalog: FleetCatalog,
  parsed: ParsedConfig,
  fragmentId: string | undefined,
  { signal, redactor }: CheckContext,
): Promise<LoadedVersion> {
  redactor.addSecretsOf(parsed.value);
  const loaded = await loadNestedFragments(catalog, fragmentId, parsed.value, (fragment) => {
    const config = parseFragment(fragment);
    redactor.addSecretsOf(config);
    return config;
  });
  const resolved = loaded && {
    ...(await inSlices(resolveConfigInSteps(parsed.value, loaded.lookup), signal)),
    getName: loaded.getName,
  };
  const modules = await catalog.modulesById(resolved ? moduleIdsIn(resolved.config) : []);
  return { parsed, resolved, modules };
}
