import * as vscode from 'vscode';
import { settings } from '../../../manifest/contributions';
import { confirm } from '../../platform/prompts/prompts';
import { readSetting, writeSetting } from '../../platform/settingsReader';
import type { LocalFleet } from './localFleet';

/**
 * Prompts for permission to run training scripts in the local fleet, unless it has already been
 * granted, and restarts the fleet with that permission. If the fleet runs without scripts despite
 * the permission, prompts for confirmation and restarts it. Throws `canceled` if the user declines.
 */
export async function allowScripts(localFleet: LocalFleet): Promise<void> {
  if (await localFleet.runsScripts()) return;
  if (readSetting(settings.localFleetScripts)) await confirmRestart();
  else await confirmScripts();
  await restart(localFleet);
}

async function confirmScripts(): Promise<void> {
  await confirm(
    vscode.l10n.t('Allow training scripts in the local fleet?'),
    vscode.l10n.t(
      'Training scripts are Python programs that run on this computer with your permissions. They can read and change your files and use the network. Only run scripts from authors you trust. The local fleet restarts once to apply this change; you can undo it in Settings.',
    ),
    vscode.l10n.t('Allow'),
  );
  await writeSetting(settings.localFleetScripts, true);
}

function confirmRestart(): Promise<void> {
  return confirm(
    vscode.l10n.t('Restart the local fleet to enable training scripts?'),
    vscode.l10n.t(
      'Training scripts were allowed in the settings after the local fleet was started. Running training jobs will start over.',
    ),
    vscode.l10n.t('Restart Local Fleet'),
  );
}

/** Offers the restart that applies a changed setting. */
export async function offerRestartForScripts(localFleet: LocalFleet): Promise<void> {
  const again = vscode.l10n.t('Restart Local Fleet');
  const message = readSetting(settings.localFleetScripts)
    ? vscode.l10n.t('The local fleet runs training scripts after it restarts.')
    : vscode.l10n.t('The local fleet no longer runs training scripts after it restarts.');
  const chosen = await vscode.window.showInformationMessage(message, again);
  if (chosen === again) await restart(localFleet);
}

async function restart(localFleet: LocalFleet): Promise<void> {
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Restarting the local fleet…'),
    },
    () => localFleet.restart(),
  );
}
