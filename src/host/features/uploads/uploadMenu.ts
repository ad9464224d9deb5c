import * as vscode from 'vscode';
import { everyCapture } from '../../../core/model/captureFilter';
import type { DatasetId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { cancelled } from '../../../core/api/errors';
import { askTags } from '../../platform/askTags';
import { pickStep } from '../../platform/pickStep';
import { listText } from '../../platform/listText';
import { escapeIcons, quickText } from '../../platform/quickText';
import { partText, pickUploadPart } from './uploadPart';
import type { UploadTools } from './uploadTools';

/** A line of a menu that shows what is set, and asks for something else when it is chosen. */
export interface MenuItem<T> extends vscode.QuickPickItem {
  /** What the setting becomes; absent on the line that begins the work. */
  readonly change?: () => Promise<T>;
}

/**
 * Shows all settings of an upload at once; Enter takes the first line, which begins it. Answers the
 * settings it is to begin with. Throws `cancelled` when the person leaves the menu; leaving a question
 * comes back to it.
 */
export async function settleIn<T>(
  initial: T,
  title: string,
  placeholder: string,
  itemsOf: (settings: T) => readonly MenuItem<T>[],
): Promise<T> {
  let settings = initial;
  for (;;) {
    const { change } = await chosen(itemsOf(settings), title, placeholder);
    if (!change) return settings;
    settings = await orSame(change, settings);
  }
}

async function chosen<T>(
  items: readonly MenuItem<T>[],
  title: string,
  placeholder: string,
): Promise<MenuItem<T>> {
  const answer = await pickStep(items, { title, placeholder });
  if (answer.back) throw cancelled();
  return answer.item;
}

/** A question that is left changes nothing. */
async function orSame<T>(change: () => Promise<T>, settings: T): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof Error && 'kind' in error && error.kind === 'cancelled') return settings;
    throw error;
  }
}

/** The line of the part. Datasets of another organization do not go along. */
export function partItem<
  T extends { readonly part: PartTarget; readonly datasets?: readonly DatasetId[] },
>(tools: UploadTools, settings: T): MenuItem<T> {
  return {
    label: vscode.l10n.t('Part: {0}', escapeIcons(partText(settings.part))),
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
  const shown = tags.length === 0 ? noneText() : listText(tags.map((tag) => quickText(tag)));
  return {
    label: vscode.l10n.t('Tags: {0}', shown),
    iconPath: new vscode.ThemeIcon('tag'),
    change: async () => ({ ...settings, tags: await pickTags(tools, settings) }),
  };
}

export function noneText(): string {
  return vscode.l10n.t('none');
}

/** Without those in use, new ones can be typed all the same. */
function pickTags(
  { sessions }: UploadTools,
  { part, tags }: { readonly part: PartTarget; readonly tags: readonly string[] },
): Promise<readonly string[]> {
  const { binaryData } = sessions.stores(part.connectionId);
  const known = binaryData.tagsOf({ ...everyCapture, organizationIds: [part.organizationId] });
  return askTags({
    title: vscode.l10n.t('Tags'),
    placeholder: vscode.l10n.t('Tags of all that is uploaded: choose some, or type a new one'),
    known: known.catch(() => []),
    mayBeNew: true,
    chosen: tags,
  });
}
