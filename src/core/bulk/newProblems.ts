import { englishLocalizer, type Localizer } from '../../base/localizer';
import { inSlices } from '../../base/slices';
import {
  type CheckedResolution,
  checkResolvedConfigInSteps,
  findNewDiagnostics,
  isProblem,
  type ResolvedDiagnostic,
} from '../configChecks/checkResolvedConfig';
import { type FleetCatalog, withFleetCatalog } from '../configChecks/fleetCatalog';
import { moduleIdsIn } from '../configChecks/fleetReferences';
import { loadNestedFragments, parseFragment } from '../configChecks/nestedFragments';
import { presentJson } from '../documents/jsonText';
import { parseConfigInSteps, type ParsedConfig } from '../documents/resolvedText';
import type { ConfigValue } from '../fragments/configValue';
import { resolveConfigInSteps } from '../fragments/resolveConfig';
import type { Fragment } from '../model/entities';
import type { FleetStores } from '../stores/fleetStores';
import type { PlannedChange } from './changePlan';

/** Problems that a change adds to a part's config. */
export interface NewProblems {
  /** The config after the change, as previews display it; empty if there are no problems. */
  readonly text: string;
  readonly count: number;
  /** Number of errors: the service rejects the config, or the machine doesn't load it. */
  readonly errorCount: number;
  /** The first problems. */
  readonly listed: readonly ResolvedDiagnostic[];
}

export interface FindNewProblemsOptions {
  readonly signal: AbortSignal;
  /** Called after each change with the number of checked changes. */
  readonly onProgress?: (checked: number) => void;
  /** Translates messages. */
  readonly l10n?: Localizer;
}

/** Maximum number of problems to list for a part. */
const MAX_LISTED = 50;

/**
 * Checks the configs of planned changes as the editor does, and returns the errors and warnings that
 * a change would add, in the order of the changes. Reads each fragment and module once for all
 * parts, and makes no call for a part. Runs in short slices.
 * @throws the signal's reason when it aborts
 */
export async function findNewProblems(
  stores: FleetStores,
  changes: readonly PlannedChange[],
  options: FindNewProblemsOptions,
): Promise<ReadonlyMap<PlannedChange, NewProblems>> {
  return withFleetCatalog(stores, (catalog) => new ProblemSearch(catalog, options).run(changes));
}

class ProblemSearch {
  /** Parsed fragments, because many configs use the same ones. */
  private readonly fragments = new Map<Fragment, ConfigValue>();
  /** Results by text, because many machines have the same config. */
  private readonly results = new Map<string, Map<string, NewProblems>>();
  private readonly l10n: Localizer;

  constructor(
    private readonly catalog: FleetCatalog,
    private readonly options: FindNewProblemsOptions,
  ) {
    this.l10n = options.l10n ?? englishLocalizer;
  }

  async run(changes: readonly PlannedChange[]): Promise<Map<PlannedChange, NewProblems>> {
    const { signal, onProgress } = this.options;
    const found = new Map<PlannedChange, NewProblems>();
    for (const [index, change] of changes.entries()) {
      signal.throwIfAborted();
      const problems = await this.compare(change);
      if (problems.count > 0) found.set(change, problems);
      onProgress?.(index + 1);
    }
    signal.throwIfAborted();
    return found;
  }

  private async compare({ before, after }: PlannedChange): Promise<NewProblems> {
    const known = this.results.get(before)?.get(after);
    if (known) return known;
    const text = presentJson(after);
    const edited = await this.check(text);
    // Most changes add no problems, so the saved config is rarely needed.
    const added =
      edited.length === 0 ? [] : findNewDiagnostics(edited, await this.check(presentJson(before)));
    const result: NewProblems = {
      // Thousands of configs without new problems would fill the memory.
      text: added.length === 0 ? '' : text,
      count: added.length,
      errorCount: added.filter(({ severity }) => severity === 'error').length,
      listed: added.slice(0, MAX_LISTED),
    };
    const results = this.results.get(before) ?? new Map<string, NewProblems>();
    this.results.set(before, results.set(after, result));
    return result;
  }

  /** Returns the errors and warnings of a config. */
  private async check(text: string): Promise<readonly ResolvedDiagnostic[]> {
    const { l10n } = this;
    const { signal } = this.options;
    const parsed = await inSlices(parseConfigInSteps(text), signal);
    if (!parsed) return [];
    const resolved = await this.resolve(parsed);
    const modules = await this.catalog.modulesById(resolved ? moduleIdsIn(resolved.config) : []);
    signal.throwIfAborted();
    const options = { resolved, modules, isFragment: false, hasTypeChecks: true, l10n };
    const diagnostics = await inSlices(checkResolvedConfigInSteps(parsed, options), signal);
    return diagnostics.filter(isProblem);
  }

  private readonly parse = (fragment: Fragment): ConfigValue => {
    const config = this.fragments.get(fragment) ?? parseFragment(fragment);
    this.fragments.set(fragment, config);
    return config;
  };

  /** Returns a config with its fragments; undefined if one of them couldn't be read. */
  private async resolve({ value }: ParsedConfig): Promise<CheckedResolution | undefined> {
    const { signal } = this.options;
    const loaded = await loadNestedFragments(this.catalog, undefined, value, this.parse);
    signal.throwIfAborted();
    if (!loaded) return undefined;
    const { lookup, getName } = loaded;
    const { config, problems } = await inSlices(resolveConfigInSteps(value, lookup), signal);
    return { config, problems, getName };
  }
}
