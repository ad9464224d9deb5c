import type { FragmentId, PartId } from './ids';
import type { VersionToken } from './versionToken';

export type EditorKind = 'user' | 'apiKey' | 'partSecret' | 'locationSecret' | 'unknown';

/** Who made a change. */
export interface Editor {
  readonly kind: EditorKind;
  /** An email address, a key id or another identity, as the service tells it. */
  readonly name: string;
  readonly deactivated: boolean;
}

export interface PartRevision {
  readonly partId: PartId;
  /** When the change was made that replaced `name` and `configText`. */
  readonly editedOn: VersionToken | undefined;
  readonly editor: Editor | undefined;
  /** The part's name and config **before** that change; undefined when the service kept none. */
  readonly old: { readonly name: string; readonly configText: string } | undefined;
}

export interface FragmentRevision {
  readonly fragmentId: FragmentId;
  readonly editedOn: VersionToken | undefined;
  readonly editor: Editor | undefined;
  readonly revision: string;
  /** The fragment's name and config **before** that change. */
  readonly old: { readonly name: string; readonly configText: string } | undefined;
  /** The config **after** that change, where the service tells it. */
  readonly configText: string | undefined;
}

/** One page of a list; an empty `nextPageToken` means that it was the last. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextPageToken: string;
}
