import * as vscode from 'vscode';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { ConnectionStore } from '../../../../core/sessions/connectionStore';
import type { PlainCommandId } from '../../../../manifest/commands';
import type { Commands } from '../../../platform/commandRegistry';
import { pickOne } from '../../../platform/prompts';
import { iconLabel } from '../../../platform/toQuickPickText';

type Choice = vscode.QuickPickItem & { readonly act?: () => Promise<void> };

/** Prompts for another connection or for another action on connections. */
export async function switchConnection(store: ConnectionStore, commands: Commands): Promise<void> {
  const { active } = store;
  const connections = store.connections.map((connection): Choice => {
    const current = connection.id === active?.id;
    return {
      label: iconLabel(current ? 'check' : 'cloud', toDisplayText(connection.label)),
      description: connection.baseUrl,
      act: () => store.activate(connection.id),
    };
  });
  const command = (label: string, id: PlainCommandId): Choice => ({
    label,
    act: () => commands.execute(id),
  });
  const others: Choice[] = [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    command(vscode.l10n.t('$(add) Sign In to Another Cloud…'), 'fleetwright.connection.signIn'),
    command(vscode.l10n.t('$(rocket) Start Local Fleet'), 'fleetwright.localFleet.start'),
    ...(active
      ? [command(vscode.l10n.t('$(sign-out) Sign Out…'), 'fleetwright.connection.signOut')]
      : []),
  ];
  const chosen = await pickOne([...connections, ...others], {
    title: vscode.l10n.t('Switch Connection'),
    placeholder: vscode.l10n.t('Select the connection to use in this window'),
  });
  await chosen.act?.();
}
