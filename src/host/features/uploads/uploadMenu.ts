import * as vscode from 'vscode';
import { everyCapture } from '../../../core/model/captureFilter';
import type { DatasetId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { promptForTags } from '../../platform/promptForTags';
import { formatList } from '../../platform/formatList';
import { escapeIcons, toQuickPickText } from '../../platform/toQuickPickText';
import type { MenuItem } from '../../platform/showSettingsMenu';
import { formatPart, pickUploadPart } from './uploadPart';
import type { UploadTools } from './uploadTools';

/**
 * Returns the menu item for the part. Selecting a part of another organization clears the datasets.
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
    mayBeNew: true,
    chosen: tags,
  });
}
