import { forEachBounded } from '../../base/bounded';
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
import { presentJson } from '../documents/jsonText';
import { parseConfigInSteps, parseConfigText, type ParsedConfig } from '../documents/resolvedText';
import type { ConfigValue } from '../fragments/configValue';
import { parseImports } from '../fragments/fragmentImport';
import { resolveConfigInSteps } from '../fragments/resolveConfig';
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
/** Maximum number of fragments to read. Configs with other fragments are checked without them. */
const MAX_FRAGMENTS = 500;
const CONCURRENT_CALLS = 4;

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
  /** Configs of fragments; undefined if a fragment doesn't exist, absent if it couldn't be read. */
  private readonly fragments = new Map<string, ConfigValue | undefined>();
  private readonly names = new Map<string, string>();
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

  /** Returns a config with its fragments; undefined if one of them couldn't be read. */
  private async resolve({ value }: ParsedConfig): Promise<CheckedResolution | undefined> {
    const { signal } = this.options;
    const isComplete = await this.readFragments(value);
    signal.throwIfAborted();
    if (!isComplete) return undefined;
    const steps = resolveConfigInSteps(value, (id, version) =>
      this.fragments.get(toRef(id, version)),
    );
    const { config, problems } = await inSlices(steps, signal);
    return { config, problems, getName: (id) => this.names.get(id) };
  }

  /**
   * Reads the fragments of a config that aren't known yet, at any depth.
   * @returns false if one of them couldn't be read.
   */
  private async readFragments(config: ConfigValue): Promise<boolean> {
    const { signal } = this.options;
    const seen = new Set<string>();
    let waiting = parseImports(config);
    while (waiting.length > 0) {
      const next = waiting.filter(({ id, version, disabled }) => {
        const ref = toRef(id, version);
        if (disabled || seen.has(ref)) return false;
        seen.add(ref);
        return true;
      });
      await forEachBounded(next, CONCURRENT_CALLS, async ({ id, version }) => {
        await this.readFragment(id, version);
        signal.throwIfAborted();
      });
      const refs = next.map(({ id, version }) => toRef(id, version));
      if (!refs.every((ref) => this.fragments.has(ref))) return false;
      waiting = refs.flatMap((ref) => parseImports(this.fragments.get(ref)));
    }
    return true;
  }

  private async readFragment(id: string, version: string | undefined): Promise<void> {
    const ref = toRef(id, version);
    if (this.fragments.has(ref) || this.fragments.size >= MAX_FRAGMENTS) return;
    const read = await this.catalog.fragment(id, version);
    if (!read) return;
    const { value } = read;
    this.fragments.set(ref, value && parseConfigText(value.configText));
    if (value) this.names.set(id, value.name);
  }
}

function toRef(id: string, version: string | undefined): string {
  return JSON.stringify([id, version]);
}
