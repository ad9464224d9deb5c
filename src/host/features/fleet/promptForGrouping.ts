import * as vscode from 'vscode';
import { pickOne } from '../../platform/prompts';
import { type Grouping, GROUPINGS } from './arrangement';

/** Prompts for the criterion by which the tree groups machines. Throws `canceled`. */
export async function promptForGrouping(current: Grouping): Promise<Grouping> {
  const labels: Readonly<Record<Grouping, string>> = {
    location: vscode.l10n.t('Location'),
    status: vscode.l10n.t('Status'),
    fragment: vscode.l10n.t('Fragment'),
  };
  const items = GROUPINGS.map((grouping) => ({
    grouping,
    label: labels[grouping],
    ...(grouping === current && { description: vscode.l10n.t('current') }),
  }));
  const { grouping } = await pickOne(items, {
    title: vscode.l10n.t('Group Machines By'),
    placeholder: vscode.l10n.t('Select how to group machines in the Fleet view'),
  });
  return grouping;
}
