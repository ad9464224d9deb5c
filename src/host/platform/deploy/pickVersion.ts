import * as vscode from 'vscode';
import { canceled } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/displayText';
import type { RegistryVersion } from '../../../core/model/registryItem';
import { escapeIcons, formatDateTime, toQuickPickText } from '../text/displayText';
import { pickStep } from '../prompts/promptSteps';

/**
 * Prompt for a registry item's version: either an existing version or a pin that follows the newest
 * one.
 */
interface VersionQuestion {
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
export async function pickVersion(question: VersionQuestion): Promise<string> {
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
