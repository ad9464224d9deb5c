import { displayName } from '../../../core/model/toDisplayText';
import { type ConnectionId, partId, type PartId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { findPart } from '../../../core/stores/findPart';
import { requireConnection } from '../../platform/requireConnection';
import { requireRight } from '../../platform/requireRight';
import type { UploadTools } from './uploadTools';

const LAST_PART = 'uploads.lastPart';

/**
 * Returns the part for the upload: the given part, the part of the last upload, or a part that the
 * user selects. Throws `canceled`, and `permission` if the key can't add data.
 */
export async function uploadPart(
  tools: UploadTools,
  given: { readonly target?: PartTarget | undefined; readonly partId?: PartId | undefined },
  connectionId?: ConnectionId,
): Promise<PartTarget> {
  const connection = requireConnection(tools.sessions, given.target?.connectionId ?? connectionId);
  const known =
    given.target ??
    (given.partId !== undefined
      ? await readPart(tools, connection.id, given.partId)
      : await lastPart(tools, connection.id));
  return known ? allowed(tools, known) : pickUploadPart(tools, connection.id);
}

/** Prompts for another part. Throws the same errors as {@link uploadPart}. */
export async function pickUploadPart(
  tools: UploadTools,
  connectionId: ConnectionId,
): Promise<PartTarget> {
  return allowed(tools, await tools.pickTarget('part', connectionId));
}

/** Saves the part for the next upload. */
export async function rememberPart({ storage }: UploadTools, part: PartTarget): Promise<void> {
  await storage.update(toStorageKey(part.connectionId), part.partId);
}

/** Formats a part and its machine, because parts are often just named `main`. */
export function formatPart({ machineName, machineId, name, partId: id }: PartTarget): string {
  return `${displayName({ name: machineName, id: machineId })} › ${displayName({ name, id })}`;
}

async function allowed({ sessions }: UploadTools, part: PartTarget): Promise<PartTarget> {
  await requireRight(sessions.stores(part.connectionId), part, 'writeData');
  return part;
}

async function readPart(
  { sessions }: UploadTools,
  connectionId: ConnectionId,
  id: PartId,
): Promise<PartTarget> {
  return (await findPart(sessions.stores(connectionId), connectionId, id)).target;
}

/**
 * Returns the part of the last upload. Returns undefined if the part was deleted or the key can no
 * longer upload to it; the user is then prompted for another part.
 */
async function lastPart(
  tools: UploadTools,
  connectionId: ConnectionId,
): Promise<PartTarget | undefined> {
  const saved = tools.storage.get(toStorageKey(connectionId));
  if (typeof saved !== 'string') return undefined;
  try {
    return await allowed(tools, await readPart(tools, connectionId, partId(saved)));
  } catch {
    return undefined;
  }
}

function toStorageKey(connectionId: ConnectionId): string {
  return `${LAST_PART}.${connectionId}`;
}
