import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import type { ApiKey } from '../../../core/model/connection';
import { toFleetError } from '../../../core/api/errors';
import { escapeIcons, iconLabel } from '../../platform/text/displayText';

export interface ShownKey {
  /** Title, which contains the key's name and origin. */
  readonly title: string;
  readonly key: ApiKey;
  /** Signs in to this window with the key; absent if a connection already uses the key. */
  readonly use?: { readonly detail: string; readonly run: () => Promise<unknown> } | undefined;
}

type Action = 'copyKey' | 'copyBoth' | 'copyId' | 'use' | 'done';

interface ActionItem extends vscode.QuickPickItem {
  readonly action: Action;
}

/**
 * Shows a new API key, which can't be read again. It's available only in this dialog and, if the
 * user copies it, in the clipboard. If the user closes the dialog without copying or using the key,
 * prompts for a confirmation.
 */
export async function showKeyOnce(shown: ShownKey): Promise<void> {
  for (;;) {
    if (await showUntilClosed(shown)) return;
    // Pressing Escape shows the key again, so that the user can't lose it by accident.
    const again = { title: vscode.l10n.t('Show Key Again'), isCloseAffordance: true };
    const close = { title: vscode.l10n.t('Close Without Copying') };
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t("The key can't be shown again."),
      {
        modal: true,
        detail: vscode.l10n.t(
          "You haven't copied the key. If you close this, you can get a new key only by rotating it.",
        ),
      },
      again,
      close,
    );
    if (chosen === close) return;
  }
}

/** Resolves to true if the user copied or used the key before closing the dialog. */
async function showUntilClosed({ title, key, use }: ShownKey): Promise<boolean> {
  const owned = new DisposableSet();
  const pick = owned.add(vscode.window.createQuickPick<ActionItem>());
  pick.title = title;
  pick.ignoreFocusOut = true;
  const show = (placeholder: string, copied?: Action): void => {
    // Clears the filter text, which would hide the placeholder and the other items.
    pick.value = '';
    pick.placeholder = placeholder;
    pick.items = createItems(key, use?.detail, copied);
    pick.activeItems = pick.items.filter(({ action }) => action === (copied ?? 'copyKey'));
  };
  show(vscode.l10n.t("Copy the key now. You won't be able to see it again."));
  let isTaken = false;
  const act = async (action: Action): Promise<void> => {
    if (action === 'use') {
      pick.busy = true;
      await use?.run();
      isTaken = true;
    } else if (action !== 'done') {
      await vscode.env.clipboard.writeText(formatForClipboard(action, key));
      // The ID is useless without the key.
      isTaken ||= action !== 'copyId';
      show(vscode.l10n.t('Copied. Store the key before you close this panel.'), action);
      return;
    }
    pick.hide();
  };
  try {
    return await new Promise<boolean>((resolve) => {
      owned.add(
        pick.onDidAccept(() => {
          const [item] = pick.selectedItems;
          if (!item || pick.busy) return;
          act(item.action).catch((error: unknown) => {
            pick.busy = false;
            // The dialog stays open, because the key is available nowhere else.
            pick.placeholder = toFleetError(error).message;
          });
        }),
      );
      owned.add(pick.onDidHide(() => resolve(isTaken)));
      pick.show();
    });
  } finally {
    owned.dispose();
  }
}

function createItems(
  { id, secret }: ApiKey,
  useDetail: string | undefined,
  copied: Action | undefined,
): readonly ActionItem[] {
  const copy = (action: Action, text: string, detail: string): ActionItem => ({
    label: iconLabel(copied === action ? 'check' : 'copy', text),
    detail: escapeIcons(detail),
    action,
  });
  return [
    copy('copyKey', vscode.l10n.t('Copy Key'), secret),
    copy(
      'copyBoth',
      vscode.l10n.t('Copy Both as Environment Variables'),
      'SVC_API_KEY_ID, SVC_API_KEY',
    ),
    copy('copyId', vscode.l10n.t('Copy Key ID'), id),
    ...(useDetail === undefined
      ? []
      : [
          {
            label: iconLabel('plug', vscode.l10n.t('Use in This Window')),
            detail: useDetail,
            action: 'use' as const,
          },
        ]),
    { label: iconLabel('close', vscode.l10n.t('Close')), action: 'done' },
  ];
}

function formatForClipboard(action: Action, { id, secret }: ApiKey): string {
  switch (action) {
    case 'copyBoth':
      return `SVC_API_KEY_ID=${id}\nSVC_API_KEY=${secret}\n`;
    case 'copyId':
      return id;
    default:
      return secret;
  }
}
