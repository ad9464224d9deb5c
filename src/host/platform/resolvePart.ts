import { presentJson } from '../../core/documents/jsonText';
import { parseConfigText, type ResolvedText, resolveText } from '../../core/documents/resolvedText';
import { importsOf } from '../../core/fragments/fragmentImport';
import { type LoadedFragments, loadFragments } from '../../core/stores/loadFragments';
import { openDocumentOf } from './openDocuments';
import type { SessionProvider } from './sessionProvider';
import type { PartAddress } from './partDocument';

/** A part's config with its fragments in place, and the text it was made of. */
export interface ResolvedPart extends ResolvedText {
  readonly source: string;
  readonly nameOf: LoadedFragments['nameOf'];
  /** What it was made with, for making it again without a call. */
  readonly known: KnownFragments;
}

/** Fragments that were read for a config, and which ones the config used then. */
export interface KnownFragments extends LoadedFragments {
  readonly uses: string;
}

/**
 * Puts the fragments of a part's config in place: of the text in its editor, edits that are not saved
 * included, or else of what the service keeps. `known` saves the call while the same fragments are used.
 * @returns undefined when the text is not JSON.
 */
export async function resolvePart(
  sessions: SessionProvider,
  address: PartAddress,
  known?: KnownFragments,
): Promise<ResolvedPart | undefined> {
  const { parts, fragments } = sessions.stores(address.connectionId);
  const part = await parts.get(address.subject.id);
  const source = openDocumentOf(address)?.getText() ?? presentJson(part.configText);
  const config = parseConfigText(source);
  if (config === undefined) return undefined;
  const saved = parseConfigText(part.configText);
  const uses = JSON.stringify(
    importsOf(config).map(({ id, version, disabled }) => [id, version, disabled]),
  );
  const request = { machine: part.machineId, config, saved };
  const loaded = known?.uses === uses ? known : await loadFragments(fragments, request);
  const resolved = resolveText(source, loaded.lookup);
  return resolved && { ...resolved, source, nameOf: loaded.nameOf, known: { ...loaded, uses } };
}
