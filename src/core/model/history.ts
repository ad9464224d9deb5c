import type { FragmentId, PartId } from './ids';
import type { VersionToken } from './versionToken';

export type EditorKind = 'user' | 'apiKey' | 'partSecret' | 'locationSecret' | 'unknown';

/** Author of a change. */
export interface Editor {
  readonly kind: EditorKind;
  /** Email address, key ID, or another identity, as reported by the service. */
  readonly name: string;
  readonly deactivated: boolean;
}

export interface PartRevision {
  readonly partId: PartId;
  /** Version that identifies the change that replaced `name` and `configText`. */
  readonly editedOn: VersionToken | undefined;
  readonly editor: Editor | undefined;
  /**
   * Name and config of the part **before** the change; undefined if the service didn't store them.
   */
  readonly old: { readonly name: string; readonly configText: string } | undefined;
}

export interface FragmentRevision {
  readonly fragmentId: FragmentId;
  readonly editedOn: VersionToken | undefined;
  readonly editor: Editor | undefined;
  readonly revision: string;
  /** Name and config of the fragment **before** the change. */
  readonly old: { readonly name: string; readonly configText: string } | undefined;
  /** Config **after** the change, if the service reports it. */
  readonly configText: string | undefined;
}

/** Page of a list. An empty `nextPageToken` means that the page is the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextPageToken: string;
}
