import * as vscode from 'vscode';
import type { Role } from '../../../core/model/access';
import { pickStep } from '../../platform/pickStep';
import { escapeIcons, iconLabel } from '../../platform/toQuickPickText';
import { type PickedRole, pickRole, type PickRoleOptions } from './pickRole';

export type PickRolesOptions = Omit<PickRoleOptions, 'back'>;

type Decision = 'done' | 'more' | PickedRole;

/**
 * Prompts for one or more roles: for each role, prompts for the role, for its resource, and whether
 * to add another role. Throws `canceled` if the user dismisses the prompt.
 */
export async function pickRoles(options: PickRolesOptions): Promise<readonly Role[]> {
  let picked: readonly PickedRole[] = [];
  for (;;) {
    const next = await pickRole({
      ...options,
      except: [...(options.except ?? []), ...picked.map(({ role }) => role)],
      back: picked.length > 0,
    });
    if (next) picked = [...picked, next];
    let decision: Decision | undefined;
    while (picked.length > 0 && decision !== 'more') {
      decision = await review(options, picked);
      if (decision === 'done') return picked.map(({ role }) => role);
      if (decision === undefined) {
        picked = picked.slice(0, -1);
        decision = 'more';
      } else if (decision !== 'more') {
        const dropped = decision;
        picked = picked.filter((one) => one !== dropped);
      }
    }
  }
}

/**
 * Shows the selected roles. Returns undefined if the user goes back to select the last role again.
 */
async function review(
  { title }: PickRolesOptions,
  picked: readonly PickedRole[],
): Promise<Decision | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly decision: Decision })[] = [
    {
      label: vscode.l10n.t('$(check) Continue'),
      detail: escapeIcons(picked.map(({ text }) => text).join(' · ')),
      decision: 'done',
    },
    { label: vscode.l10n.t('$(add) Add Another Role…'), decision: 'more' },
    ...picked.map((one) => ({
      label: iconLabel('close', vscode.l10n.t('Remove {0}', one.text)),
      decision: one,
    })),
  ];
  const answer = await pickStep(items, {
    title,
    placeholder: vscode.l10n.t('Do these roles look right?'),
    back: true,
  });
  return answer.back ? undefined : answer.item.decision;
}
