import * as vscode from 'vscode';
import { displayName } from '../../../core/model/displayText';
import { type ConnectionId, type DatasetId, partId, type PartId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { findPart } from '../../../core/stores/findMachines';
import { requireConnection } from '../../platform/sessionProvider';
import { requireRight } from '../../platform/permissions/requireRight';
import { everyCapture } from '../../../core/model/captureFilter';
import { promptForTags } from '../../platform/prompts/promptForTags';
import { escapeIcons, formatList, toQuickPickText } from '../../platform/text/displayText';
import type { MenuItem } from '../../platform/prompts/showSettingsMenu';
import type { KeyValue } from '../../../core/ports';
import type { BulkDocuments } from '../../platform/documents/bulkDocuments';
import type { BulkReports } from '../../platform/commands/bulkReports';
import type { FleetTools } from '../../platform/fleetTools';

const LAST_PART = 'uploads.lastPart';

/**
 * Returns the part for the upload: the given part, the last upload's part, or a part that the user
 * selects. Throws `canceled`, and `permission` if the key can't add data.
 */
export async function uploadPart(
  tools: UploadTools,
  source: { readonly target?: PartTarget | undefined; readonly partId?: PartId | undefined },
  connectionId?: ConnectionId,
): Promise<PartTarget> {
  const connection = requireConnection(tools.sessions, source.target?.connectionId ?? connectionId);
  const known =
    source.target ??
    (source.partId !== undefined
      ? await readPart(tools, connection.id, source.partId)
      : await lastPart(tools, connection.id));
  return known ? allowed(tools, known) : pickUploadPart(tools, connection.id);
}

/** Prompts for another part. Throws the same errors as {@link uploadPart}. */
async function pickUploadPart(tools: UploadTools, connectionId: ConnectionId): Promise<PartTarget> {
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
 * Returns the last upload's part. Returns undefined if the part was deleted or the key can no
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

/**
 * Returns the menu item for the part. Selecting a part in another organization clears the datasets.
 */
export function partItem<
  T extends { readonly part: PartTarget; readonly datasets?: readonly DatasetId[] },
>(tools: UploadTools, settings: T): MenuItem<T> {
  return {
    label: vscode.l10n.t('Part: {0}', escapeIcons(formatPart(settings.part))),
    iconPath: new vscode.ThemeIcon('circuit-board'),
    change: async () => {
      const part = await pickUploadPart(tools, settings.part.connectionId);
      const isSame = part.organizationId === settings.part.organizationId;
      return { ...settings, part, ...(settings.datasets && !isSame && { datasets: [] }) };
    },
  };
}

export function tagsItem<T extends { readonly part: PartTarget; readonly tags: readonly string[] }>(
  tools: UploadTools,
  settings: T,
): MenuItem<T> {
  const { tags } = settings;
  const shown =
    tags.length === 0 ? formatNone() : formatList(tags.map((tag) => toQuickPickText(tag)));
  return {
    label: vscode.l10n.t('Tags: {0}', shown),
    iconPath: new vscode.ThemeIcon('tag'),
    change: async () => ({ ...settings, tags: await pickTags(tools, settings) }),
  };
}

export function formatNone(): string {
  return vscode.l10n.t('none');
}

/** If the existing tags can't be read, the user can still enter new ones. */
function pickTags(
  { sessions }: UploadTools,
  { part, tags }: { readonly part: PartTarget; readonly tags: readonly string[] },
): Promise<readonly string[]> {
  const { binaryData } = sessions.stores(part.connectionId);
  const known = binaryData.listTags({ ...everyCapture, organizationIds: [part.organizationId] });
  return promptForTags({
    title: vscode.l10n.t('Tags'),
    placeholder: vscode.l10n.t('Tags for all uploaded data. Select tags, or enter a new one'),
    known: known.catch(() => []),
    canBeNew: true,
    chosen: tags,
  });
}

/** Dependencies of uploads. */
export interface UploadTools extends FleetTools {
  readonly documents: BulkDocuments;
  readonly reports: BulkReports;
  /** Storage for the last upload's part. */
  readonly storage: KeyValue;
}
