import * as vscode from 'vscode';
import { formatOwner } from '../../../../core/confirmations/confirmation';
import { getNames } from '../../../../core/model/resourceName';
import type {
  LocationTarget,
  MachineTarget,
  PartTarget,
} from '../../../../core/model/resourceTarget';
import { owningOrganization } from '../../../../core/stores/ownersAbove';
import { confirm, promptForName } from '../../../platform/prompts/prompts';
import { confirmDeletion } from '../../../platform/prompts/confirmDeletion';
import type { FleetTools } from '../../../platform/fleetTools';
import { resolveTarget } from '../../../platform/prompts/resolveTarget';
import { formatPartCount } from '../counts';
import { displayName, toDisplayText } from '../../../../core/model/displayText';
import { formatCloudCredentials } from '../../../../core/stores/secretStore';
import { findMainPart, partTarget } from '../../../../core/stores/findMachines';
import type { BulkDocuments } from '../../../platform/documents/bulkDocuments';
import { requireConnection } from '../../../platform/sessionProvider';
import { FleetError } from '../../../../core/api/errors';
import type { BulkOutcome } from '../../../../core/bulk/bulkRun';
import type { PartSummary } from '../../../../core/model/entities';
import { formatNames } from '../../../platform/text/displayText';
import { working } from '../../../platform/commands/progress';
import { showStatusMessage } from '../../../platform/commands/statusMessage';
import { notifyRestarts, watchRestarts } from '../../../platform/commands/watchRestarts';

/** Creates a machine and offers the next steps. The service adds a main part to the machine. */
export async function createMachine(
  tools: FleetTools,
  requestedTarget: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', requestedTarget, 'administer');
  const { locationId } = target;
  const created = await promptForName({
    title: vscode.l10n.t('Create Machine'),
    prompt: vscode.l10n.t('Name of the new machine in the location "{0}"', target.name),
    siblings: getNames(await stores.machines.list(locationId)),
    submit: async (name) => ({ machineId: await stores.machines.create(locationId, name), name }),
  });
  const machine: MachineTarget = { ...target, ...created, kind: 'machine' };
  await tools.reveal(machine);
  await offerNextSteps(tools, machine);
}

export async function renameMachine(
  tools: FleetTools,
  requestedTarget: MachineTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'machine', requestedTarget, 'administer');
  const machine = await stores.machines.get(target.machineId);
  await promptForName({
    title: vscode.l10n.t('Rename Machine'),
    prompt: vscode.l10n.t('New name for the machine "{0}"', machine.name),
    current: machine.name,
    siblings: getNames(await stores.machines.list(target.locationId)),
    submit: async (name) => {
      await stores.machines.rename({ id: target.machineId, locationId: target.locationId }, name);
    },
  });
}

export async function deleteMachine(
  tools: FleetTools,
  requestedTarget: MachineTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'machine', requestedTarget, 'administer');
  const [parts, organization] = await Promise.all([
    stores.parts.list(target.machineId, { fresh: true }),
    owningOrganization(stores, target),
  ]);
  await confirmDeletion({
    title: vscode.l10n.t('Delete Machine'),
    name: target.name,
    id: target.machineId,
    organization,
    alsoDeleted: [formatPartCount(parts.length)],
  });
  await stores.machines.delete({ id: target.machineId, locationId: target.locationId });
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** The command's dependencies in addition to the fleet tools. */
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

/** Opens a page that explains how to connect a part's computer to the service. */
export async function showConnectPage(
  tools: ConnectTools,
  requestedTarget: PartTarget | undefined,
): Promise<void> {
  const { documents, sessions } = tools;
  const { target: part } = await resolveTarget(tools, 'part', requestedTarget);
  const { baseUrl } = requireConnection(sessions, part.connectionId);
  const name = toDisplayText(part.machineName);
  const uri = documents.add(
    connectPage(baseUrl, part),
    vscode.l10n.t('Connect {0}', name.replaceAll('/', '-')) + '.md',
  );
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}

/** Returns the page's Markdown text, without the secret. */
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

/** Escapes a name so that Markdown doesn't interpret its special characters. */
function toMarkdown(name: string): string {
  return toDisplayText(name).replaceAll(/[\\`*_{}[\]()<>#+\-.!|&]/g, String.raw`\$&`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '   ');
}

type Failed = Extract<BulkOutcome<PartSummary>, { readonly state: 'failed' }>;

/**
 * Requests a restart of all of a machine's parts after the user confirms once, and tracks the parts
 * until they are back online.
 */
export async function restartMachine(
  tools: FleetTools,
  requestedTarget: MachineTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'machine', requestedTarget, 'control');
  const [parts, organization] = await Promise.all([
    stores.parts.list(target.machineId, { fresh: true }),
    owningOrganization(stores, target),
  ]);
  await confirm(
    vscode.l10n.t('Restart the machine "{0}"?', target.name),
    [
      formatOwner(organization, vscode.l10n),
      parts.length === 1
        ? vscode.l10n.t("Its part stops what it's doing and restarts the next time it checks in.")
        : vscode.l10n.t(
            'Its {0} parts ({1}) stop all activity and restart the next time they check in.',
            parts.length,
            formatNames(getNames(parts)),
          ),
    ].join(' '),
    vscode.l10n.t('Restart'),
  );
  const name = displayName({ name: target.name, id: target.machineId });
  const outcomes = await working(vscode.l10n.t('Restarting "{0}"', name), parts, ({ id }) =>
    stores.parts.markForRestart(id),
  );
  const failures = outcomes.filter((outcome) => outcome.state === 'failed');
  if (failures.length > 0) throw failureReport(target, parts.length, failures);
  const marked = outcomes.filter(({ state }) => state === 'done').map(({ item }) => item);
  if (marked.length < parts.length) {
    const { length } = marked;
    showStatusMessage(
      vscode.l10n.t('Canceled. {0} of {1} parts will restart.', length, parts.length),
    );
    return;
  }
  const targets = marked.map((part) => partTarget(target, part));
  notifyRestarts(
    await watchRestarts(tools.sessions, vscode.l10n.t('Restart of "{0}"', name), targets),
  );
}

function failureReport(
  { name }: MachineTarget,
  total: number,
  failures: readonly Failed[],
): FleetError {
  const [first] = failures;
  const reasons = failures.map(
    (failure) => `${toDisplayText(failure.item.name)}: ${failure.error.message}`,
  );
  const message = vscode.l10n.t(
    'Couldn\'t request a restart for {0} of {1} parts of "{2}". {3}',
    failures.length,
    total,
    name,
    reasons.join(' '),
  );
  return new FleetError(first?.error.kind ?? 'internal', message, {
    cause: first?.error,
    action: first?.error.action,
  });
}
