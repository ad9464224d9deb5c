import * as vscode from 'vscode';
import type { FragmentVisibility, KnownVisibility } from '../../../core/model/entities';
import { toDisplayText } from '../../../core/model/displayText';
import { toQuickPickText } from './displayText';

export interface VisibilityRow extends vscode.QuickPickItem {
  readonly visibility: KnownVisibility;
}

/**
 * Returns quick pick items for visibilities.
 * @param now current visibility, which is marked.
 */
export function visibilityRows(now: FragmentVisibility, organization: string): VisibilityRow[] {
  const rows: readonly VisibilityRow[] = [
    {
      visibility: 'private',
      label: `$(lock) ${vscode.l10n.t('Private')}`,
      detail: vscode.l10n.t(
        'Only users with access to {0} can see and use it',
        toQuickPickText(organization),
      ),
    },
    {
      visibility: 'public',
      label: `$(globe) ${vscode.l10n.t('Public')}`,
      detail: vscode.l10n.t('Anyone can find, see, and use it'),
    },
    {
      visibility: 'publicUnlisted',
      label: `$(link) ${vscode.l10n.t('Public, unlisted')}`,
      detail: vscode.l10n.t("Anyone who knows its ID can see and use it, but lists don't show it"),
    },
  ];
  return rows.map((row) =>
    row.visibility === now ? { ...row, description: vscode.l10n.t('current') } : row,
  );
}

/** Reports that a resource already has the selected visibility. */
export function formatSameVisibility(name: string, visibility: KnownVisibility): string {
  const shown = toDisplayText(name);
  switch (visibility) {
    case 'private':
      return vscode.l10n.t('"{0}" is already private.', shown);
    case 'public':
      return vscode.l10n.t('"{0}" is already public.', shown);
    case 'publicUnlisted':
      return vscode.l10n.t('"{0}" is already public and unlisted.', shown);
  }
}
