import * as vscode from 'vscode';
import { canceled, FleetError } from '../../../core/api/errors';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import type { ConnectionId } from '../../../core/model/ids';
import type { MachineTarget, PartTarget } from '../../../core/model/resourceTarget';
import { findPart, partTarget } from '../../../core/stores/findMachines';
import { pickOne } from '../prompts/prompts';
import { escapeIcons, formatDateTime, toQuickPickText } from '../text/displayText';
import type { DeployTarget } from './deploySubject';
import type { FleetTools } from '../fleetTools';
import type { LastPart } from './deployTools';
import type { RegistryVersion } from '../../../core/model/registryItem';
import { pickStep } from '../prompts/promptSteps';

interface PartChoiceItem extends vscode.QuickPickItem {
  readonly choose: () => Promise<PartTarget | undefined>;
}

/** Dependencies for selecting a part, including the last used part. */
interface PartTools extends Pick<FleetTools, 'pickTarget'> {
  readonly lastPart: LastPart;
}

/**
 * Prompts for the part to deploy to. Lists the last used part first.
 * @returns undefined if the user chooses to deploy to more than one machine. Throws `canceled`.
 */
export async function choosePartOrMany(
  tools: PartTools,
  title: string,
  connectionId: ConnectionId,
): Promise<PartTarget | undefined> {
  return pickPart(tools, title, connectionId, [
    {
      label: `$(checklist) ${vscode.l10n.t('Several Machines…')}`,
      detail: vscode.l10n.t('Shows all changes before anything is saved'),
      choose: () => Promise.resolve(undefined),
    },
  ]);
}

/** Like {@link choosePartOrMany}, but always for a single part. Throws `canceled`. */
export async function choosePart(
  tools: PartTools,
  title: string,
  connectionId: ConnectionId,
): Promise<PartTarget> {
  const last = await tools.lastPart.find(connectionId);
  if (!last) return tools.pickTarget('part', connectionId);
  return (await pickPart(tools, title, connectionId, [])) ?? last;
}

async function pickPart(
  { pickTarget, lastPart }: PartTools,
  title: string,
  connectionId: ConnectionId,
  others: readonly PartChoiceItem[],
): Promise<PartTarget | undefined> {
  const last = await lastPart.find(connectionId);
  const items: readonly PartChoiceItem[] = [
    ...(last ? [lastItem(last)] : []),
    {
      label: `$(search) ${vscode.l10n.t('Find Part…')}`,
      // Remains visible while the user types another part's name.
      alwaysShow: true,
      choose: () => pickTarget('part', connectionId),
    },
    ...others,
  ];
  const chosen = await pickOne(items, {
    title,
    placeholder: vscode.l10n.t('Target machine'),
  });
  return chosen.choose();
}

/** Returns a target's part. Prompts if the machine has more than one part. Throws `canceled`. */
export async function resolveTargetPart(
  tools: Pick<FleetTools, 'sessions'>,
  target: DeployTarget,
  title: string,
): Promise<PartTarget> {
  if ('subject' in target) {
    const { connectionId, subject } = target;
    return (await findPart(tools.sessions.stores(connectionId), connectionId, subject.id)).target;
  }
  return target.kind === 'part' ? target : pickMachinePart(tools, target, title);
}

async function pickMachinePart(
  { sessions }: Pick<FleetTools, 'sessions'>,
  machine: MachineTarget,
  title: string,
): Promise<PartTarget> {
  const parts = await sessions.stores(machine.connectionId).parts.list(machine.machineId);
  const [first] = parts;
  if (!first) {
    const message = vscode.l10n.t('The machine "{0}" has no parts.', machine.name);
    throw new FleetError('notFound', message);
  }
  if (parts.length === 1) return partTarget(machine, first);
  const items = parts.map((part) => ({
    label: toQuickPickText(displayName(part)),
    ...(part.main && { description: vscode.l10n.t('main part') }),
    iconPath: new vscode.ThemeIcon('circuit-board'),
    part,
  }));
  const placeholder = vscode.l10n.t('Parts of {0}', machine.name);
  return partTarget(machine, (await pickOne(items, { title, placeholder })).part);
}

function lastItem(last: PartTarget): PartChoiceItem {
  return {
    label: `$(history) ${toQuickPickText(displayName({ name: last.name, id: last.partId }))}`,
    description: toQuickPickText(vscode.l10n.t('last used, on {0}', last.machineName)),
    choose: () => Promise.resolve(last),
  };
}

/**
 * Prompt for a registry item's version: either an existing version or a pin that follows the newest
 * one.
 */
interface VersionPickOptions {
  readonly title: string;
  readonly placeholder: string;
  /** Versions, newest first. */
  readonly versions: readonly RegistryVersion[];
  /** Default version, which Enter selects. */
  readonly usual: string | undefined;
  /** Returns additional information to show next to a version's date. */
  readonly notes: (version: RegistryVersion) => readonly string[];
  readonly pins: readonly VersionPin[];
}

/** Value that a config can contain instead of a version. */
interface VersionPin {
  readonly pin: string;
  readonly label: string;
  /** Version to which the pin currently resolves. */
  readonly now?: string | undefined;
}

interface VersionChoice extends vscode.QuickPickItem {
  readonly version: string;
}

/** @returns a version or a pin. Throws `canceled`. */
export async function pickVersion(question: VersionPickOptions): Promise<string> {
  const { title, placeholder, versions, usual, notes, pins } = question;
  const items: readonly VersionChoice[] = [
    ...versions.map((version) => versionChoice(version, notes(version))),
    { label: '', kind: vscode.QuickPickItemKind.Separator, version: '' },
    ...pins.map(pinChoice),
  ];
  const answer = await pickStep(items, {
    title,
    placeholder,
    active: ({ version }) => version === usual,
  });
  if (answer.back) throw canceled();
  return answer.item.version;
}

function versionChoice(
  { version, createdAt }: RegistryVersion,
  notes: readonly string[],
): VersionChoice {
  const at = createdAt && formatDateTime(createdAt);
  const details = at === undefined ? notes : [...notes, at];
  return {
    label: toQuickPickText(version),
    description: escapeIcons(details.join(' · ')),
    version,
  };
}

function pinChoice({ pin, label, now }: VersionPin): VersionChoice {
  return {
    label: `$(sync) ${label}`,
    description: pin,
    ...(now !== undefined && { detail: vscode.l10n.t('Currently {0}', toDisplayText(now)) }),
    version: pin,
  };
}
