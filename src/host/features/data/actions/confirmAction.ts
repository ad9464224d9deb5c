import * as vscode from 'vscode';
import { getItemCount } from '../../../../core/data/bulkTarget';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { confirm, confirmByName } from '../../../platform/prompts';
import type { ActionTarget } from './actionTarget';
import { formatItemsByOrganization, formatItemCount, listOrganizations } from './actionText';

/**
 * Prompts for confirmation before an action changes all matches of a filter. Individually selected
 * items need no confirmation. Throws `canceled`.
 * @param question prompt text, including the count
 */
export async function confirmWhole(
  { target }: ActionTarget,
  question: string,
  yes: string,
): Promise<void> {
  if (target.kind === 'items') return;
  const detail = vscode.l10n.t(
    "This applies to everything that currently matches the filter. Data captured later isn't affected.",
  );
  await confirm(question, detail, yes);
}

/**
 * Prompts the user to type the number of items to delete. If these are all items of the
 * organization, first prompts for the organization's name. Throws `canceled`.
 */
export async function confirmDeletion(
  stores: FleetStores,
  { target, isEverything }: ActionTarget,
): Promise<void> {
  const counted = await formatItemsByOrganization(stores, target);
  const title = vscode.l10n.t('Delete {0}', counted);
  if (isEverything) await confirmEverything(stores, { target, isEverything }, title);
  const count = vscode.l10n.t('delete {0}', getItemCount(target));
  await confirmByName({
    title,
    prompt: [
      vscode.l10n.t(
        'This also deletes their tags and bounding boxes, and removes them from all datasets.',
      ),
      vscode.l10n.t('This can\'t be undone. Type "{0}" to confirm.', count),
    ].join(' '),
    name: count,
  });
}

async function confirmEverything(
  stores: FleetStores,
  { target }: ActionTarget,
  title: string,
): Promise<void> {
  const ids = listOrganizations(target);
  const [only] = ids;
  const name =
    only !== undefined && ids.length === 1
      ? toDisplayText((await stores.organizations.get(only)).name)
      : vscode.l10n.t('all organizations');
  await confirmByName({
    title,
    prompt: [
      vscode.l10n.t(
        "The filter doesn't exclude anything. It matches all {0}.",
        formatItemCount(getItemCount(target)),
      ),
      vscode.l10n.t('This can\'t be undone. Type "{0}" to confirm.', name),
    ].join(' '),
    name,
  });
}
