import { create } from '@bufbuild/protobuf';
import {
  AuthenticationType,
  type AuthenticatorInfo,
  AuthenticatorInfoSchema,
} from '../../gen/viam/app/v1/authorization_pb';
import { existingKeyIds } from '../store/credentials';
import type { StoreAccess } from '../store/store';

/** Edit as stored in histories. */
interface Edit {
  readonly editor_type: number;
  readonly editor_value: string;
}

/**
 * Returns a function that finds the authors of edits in the wire format, including whether their
 * keys have been deleted.
 */
export async function createEditorLookup(
  access: StoreAccess,
  edits: readonly Edit[],
): Promise<(edit: Edit) => AuthenticatorInfo> {
  const keys = edits.filter(isByKey).map(({ editor_value }) => editor_value);
  const existing = await existingKeyIds(access, keys);
  return (edit) =>
    create(AuthenticatorInfoSchema, {
      type: edit.editor_type,
      value: edit.editor_value,
      isDeactivated: isByKey(edit) && !existing.has(edit.editor_value),
    });
}

function isByKey({ editor_type }: Edit): boolean {
  return (editor_type as AuthenticationType) === AuthenticationType.API_KEY;
}
