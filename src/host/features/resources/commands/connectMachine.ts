import * as vscode from 'vscode';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import { formatCloudCredentials } from '../../../../core/model/machineSecret';
import type { MachineTarget, PartTarget } from '../../../../core/model/resourceTarget';
import { findMainPart } from '../../../../core/stores/findMainPart';
import type { BulkDocuments } from '../../../platform/bulkDocuments';
import type { FleetTools } from '../../../platform/fleetTools';
import { requireConnection } from '../../../platform/requireConnection';
import { resolveTarget } from '../../../platform/resolveTarget';

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Dependencies of the command in addition to the fleet tools. */
export interface ConnectTools extends FleetTools {
  readonly documents: BulkDocuments;
}

/**
 * Reports that a machine was created, and offers the next steps: editing its config and connecting
 * it.
 */
export async function offerNextSteps(
  { commands, sessions }: Pick<FleetTools, 'commands' | 'sessions'>,
  machine: MachineTarget,
): Promise<void> {
  const open = vscode.l10n.t('Open Config');
  const copy = vscode.l10n.t('Copy Credentials');
  const connect = vscode.l10n.t('How to Connect');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t('Created the machine "{0}".', toDisplayText(machine.name)),
    open,
    copy,
    connect,
  );
  if (choice === undefined) return;
  const part = await findMainPart(sessions.stores(machine.connectionId), machine);
  if (!part) return;
  if (choice === open) await commands.execute('fleetwright.part.openConfig', part);
  else if (choice === copy) await commands.execute('fleetwright.part.copyCredentials', part);
  else await commands.execute('fleetwright.part.showConnectPage', part);
}

/** Opens a page that explains how to connect the computer of a part to the service. */
export async function showConnectPage(
  tools: ConnectTools,
  given: PartTarget | undefined,
): Promise<void> {
  const { documents, sessions } = tools;
  const { target: part } = await resolveTarget(tools, 'part', given);
  const { baseUrl } = requireConnection(sessions, part.connectionId);
  const name = toDisplayText(part.machineName);
  const uri = documents.add(
    connectPage(baseUrl, part),
    vscode.l10n.t('Connect {0}', name.replaceAll('/', '-')) + '.md',
  );
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}

/** Returns the Markdown text of the page, without the secret. */
export function connectPage(baseUrl: string, part: PartTarget): string {
  const example = formatCloudCredentials({ baseUrl, partId: part.partId, secret: '…' });
  const paragraphs = [
    `# ${vscode.l10n.t('Connect {0}', toMarkdown(part.machineName))}`,
    vscode.l10n.t(
      'A machine connects to {0} with the ID and the secret of its part.',
      `\`${baseUrl}\``,
    ),
    ...(LOOPBACK_HOSTS.has(new URL(baseUrl).hostname)
      ? [
          vscode.l10n.t(
            '**Only programs on this computer can reach this address.** To connect other computers, host the service for your team and sign in to it.',
          ),
        ]
      : []),
    `1. ${vscode.l10n.t(
      'In the Fleet view, right-click the part {0} and select **Copy Part Credentials**. You need the Owner role.',
      `**${toMarkdown(part.name)}**`,
    )}`,
    `2. ${vscode.l10n.t(
      'On the machine, save them to {0}. Keep the secret to yourself: anyone who has it can act as this machine.',
      '`/etc/viam.json`',
    )}`,
    indent(`\`\`\`json\n${example}\`\`\``),
    `3. ${vscode.l10n.t(
      'Use this file to start the program that runs the machine. The program must support the {0} API.',
      '`viam.app`',
    )}`,
    `4. ${vscode.l10n.t(
      "The Fleet view shows the machine as online. Select **View Part Logs** to see what it's doing.",
    )}`,
    vscode.l10n.t(
      'If the secret is exposed, select **Manage Part Secrets…**, create a new secret, save it on the machine, and delete the old one.',
    ),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

/** Escapes a name so that Markdown doesn't interpret its characters. */
function toMarkdown(name: string): string {
  return toDisplayText(name).replaceAll(/[\\`*_{}[\]()<>#+\-.!|&]/g, String.raw`\$&`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '   ');
}
