import type { FleetCatalog } from '../../../core/configChecks/fleetCatalog';
import { loadNestedFragments } from '../../../core/configChecks/nestedFragments';
import { presentJson } from '../../../core/documents/jsonText';
import { inSlices } from '../../../base/slices';
import {
  parseConfigInSteps,
  parseConfigText,
  type ParsedConfig,
  type ResolvedText,
  resolveValueInSteps,
} from '../../../core/documents/resolvedText';
import type { ConfigValue } from '../../../core/fragments/configValue';
import { parseImports } from '../../../core/fragments/fragmentImport';
import { type LoadedFragments, loadFragments } from '../../../core/stores/loadFragments';
import { findOpenDocument, type PartAddress } from './documentUris';
import type { SessionProvider } from '../sessionProvider';

/** A part's resolved config, and the text from which it was resolved. */
export interface ResolvedPart extends ResolvedText {
  readonly source: string;
  readonly getName: LoadedFragments['getName'];
  /** Fragments used to resolve the config, which allow it to be resolved again without a call. */
  readonly known: KnownFragments;
}

/** Fragments that were read for a config, and the fragments that the config used at that time. */
export interface KnownFragments extends LoadedFragments {
  readonly uses: string;
}

/** Runs the steps of long work in slices. */
export type RunSteps = <T>(steps: Generator<unknown, T, void>) => Promise<T>;

/**
 * Resolves a part's config, either from the text in its editor, including unsaved edits, or from
 * the service, or from `parsed`, without the digits of its numbers. With `known`, no call is needed
 * as long as the config uses the same fragments.
 * @param run runs long work in slices
 * @returns undefined if the text isn't valid JSON.
 */
export async function resolvePart(
  sessions: SessionProvider,
  address: PartAddress,
  known?: KnownFragments,
  parsed?: ParsedConfig,
  run: RunSteps = inSlices,
): Promise<ResolvedPart | undefined> {
  const { parts, fragments } = sessions.stores(address.connectionId);
  const part = await parts.get(address.subject.id);
  const source =
    parsed?.text ?? findOpenDocument(address)?.getText() ?? presentJson(part.configText);
  const config = parsed?.value ?? parseConfigText(source);
  if (config === undefined) return undefined;
  const uses = formatUses(config);
  const load = async (): Promise<LoadedFragments> => {
    // Only the IDs and versions of its fragments matter.
    const saved =
      part.configText === source ? config : (await run(parseConfigInSteps(part.configText)))?.value;
    return loadFragments(fragments, { machine: part.machineId, config, saved });
  };
  const loaded = known?.uses === uses ? known : await load();
  const resolved = await run(resolveValueInSteps(config, loaded.lookup));
  return {
    config: resolved.config,
    origins: resolved.origins,
    problems: resolved.problems,
    get text() {
      return resolved.text;
    },
    source,
    getName: loaded.getName,
    known: { ...loaded, uses },
  };
}

/**
 * Returns the config of a fragment with the fragments that it uses; undefined if they can't be read
 * at the moment.
 */
export async function resolveFragment(
  fragmentId: string,
  {
    catalog,
    parsed: { text, value },
    known,
    run,
  }: {
    readonly catalog: FleetCatalog;
    readonly parsed: ParsedConfig;
    readonly known: KnownFragments | undefined;
    readonly run: RunSteps;
  },
): Promise<ResolvedPart | undefined> {
  const uses = formatUses(value);
  const loaded =
    known?.uses === uses ? known : await loadNestedFragments(catalog, fragmentId, value);
  if (!loaded) return undefined;
  const resolved = await run(resolveValueInSteps(value, loaded.lookup, { fragmentId }));
  return Object.assign(resolved, {
    source: text,
    getName: loaded.getName,
    known: { ...loaded, uses },
  });
}

/** Returns the fragments that a config uses, as a text to compare with `KnownFragments.uses`. */
function formatUses(config: ConfigValue): string {
  return JSON.stringify(
    parseImports(config).map(({ id, version, disabled }) => [id, version, disabled]),
  );
}
