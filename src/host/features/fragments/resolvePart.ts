import { presentJson } from '../../../core/documents/jsonText';
import {
  parseConfigText,
  type ResolvedText,
  resolveText,
} from '../../../core/documents/resolvedText';
import { loadFragments } from '../../../core/stores/loadFragments';
import type { SessionProvider } from '../../platform/sessionProvider';
import { openDocumentOf, type PartAddress } from './partDocument';
import type { NameOf } from './problemText';

/** A part's config with its fragments in place, and the text it was made of. */
export interface ResolvedPart extends ResolvedText {
  readonly source: string;
  readonly nameOf: NameOf;
}

/**
 * Puts the fragments of a part's config in place: of the text in its editor, edits that are not saved
 * included, or else of what the service keeps. @returns undefined when the text is not JSON.
 */
export async function resolvePart(
  sessions: SessionProvider,
  address: PartAddress,
  signal?: AbortSignal,
): Promise<ResolvedPart | undefined> {
  const { parts, fragments } = sessions.stores(address.connectionId);
  const part = await parts.get(address.subject.id, { signal });
  const source = openDocumentOf(address)?.getText() ?? presentJson(part.configText);
  const config = parseConfigText(source);
  if (config === undefined) return undefined;
  const saved = parseConfigText(part.configText);
  const request = { machine: part.machineId, config, saved, signal };
  const { lookup, nameOf } = await loadFragments(fragments, request);
  const resolved = resolveText(source, lookup);
  return resolved && { ...resolved, source, nameOf };
}
