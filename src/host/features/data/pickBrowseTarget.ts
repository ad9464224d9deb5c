import * as vscode from 'vscode';
import type { BrowsableTarget } from '../../../manifest/commands';
import type { FleetTools } from '../../platform/fleetTools';
import { pickOne } from '../../platform/prompts';
import { requireConnection } from '../../platform/requireConnection';

interface KindItem extends vscode.QuickPickItem {
  readonly of: BrowsableTarget['kind'];
}

/**
 * Prompts for the data to browse: first the kind of resource, then the resource. Throws `canceled`.
 */
export async function pickBrowseTarget({
  sessions,
  pickTarget,
}: Pick<FleetTools, 'sessions' | 'pickTarget'>): Promise<BrowsableTarget> {
  requireConnection(sessions);
  const kinds: readonly KindItem[] = [
    { of: 'organization', label: vscode.l10n.t('An organization') },
    { of: 'location', label: vscode.l10n.t('A location and everything in it') },
    { of: 'machine', label: vscode.l10n.t('A machine') },
    { of: 'part', label: vscode.l10n.t('A part of a machine') },
    { of: 'dataset', label: vscode.l10n.t('A dataset') },
  ];
  const { of } = await pickOne(kinds, {
    title: vscode.l10n.t('Browse Data'),
    placeholder: vscode.l10n.t('Select a resource type'),
  });
  return pickTarget(of);
}
