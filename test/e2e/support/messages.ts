import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { NotificationCenter } from './notificationCenter';

/** Time to check one location before checking the next. */
const glanceMs = 2_000;
const patienceMs = 60_000;

/**
 * Notifications and modal dialogs. VS Code shows a notification as a toast only if few others
 * arrived within the same second or are still visible, and hides the toast after a while. All
 * notifications stay in the notification center until they are dismissed, so every method also
 * checks there.
 */
export class Messages {
  private readonly center: NotificationCenter;

  constructor(private readonly page: Page) {
    this.center = new NotificationCenter(page);
  }

  /** The modal dialog. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /**
   * Waits until VS Code has a notification with this text, as a toast or in the notification
   * center.
   */
  async waitForMessage(text: string | RegExp, withinMs = patienceMs): Promise<void> {
    await this.withMessage(text, (message, timeout) => message.waitFor({ timeout }), {
      withinMs,
    });
  }

  /**
   * Clicks a button of the newest notification that has this button. @param about text of the
   * notification, such as the name of a resource, if several notifications have the button
   */
  async pressButton(button: string, about = ''): Promise<void> {
    const has = this.page.getByRole('button', { name: button });
    await this.withMessage(
      about,
      (message, timeout) => press(message.getByRole('button', { name: button }), timeout),
      { has, name: button },
    );
  }

  /** Clicks a link in the text of the newest notification with this text. */
  async pressLink(text: string | RegExp, link: string): Promise<void> {
    await this.withMessage(text, (message, timeout) =>
      press(message.getByRole('link', { name: link, exact: true }), timeout),
    );
  }

  /**
   * Waits until VS Code has no notification with this text, not even in the notification center.
   */
  async waitUntilDismissed(text: string | RegExp): Promise<void> {
    await this.toast(text).waitFor({ state: 'detached' });
    await this.center.open();
    await this.center.message(text).waitFor({ state: 'detached' });
    await this.center.close();
  }

  /** Waits until VS Code has no error notification, not even in the notification center. */
  async waitUntilNoErrors(): Promise<void> {
    const hasError = this.page.locator('.notification-list-item-icon.codicon-error');
    await hasError.first().waitFor({ state: 'detached' });
    await this.center.open();
    await hasError.first().waitFor({ state: 'detached' });
    await this.center.close();
  }

  /**
   * Clicks a button of the modal dialog and waits until the dialog closes, because another dialog
   * can follow.
   */
  async pressDialogButton(button: string): Promise<void> {
    const dialog = await this.dialog.elementHandle();
    assert.ok(dialog);
    await this.dialog.getByRole('button', { name: button }).click();
    await dialog.waitForElementState('hidden');
    await dialog.dispose();
  }

  private toast(text: string | RegExp, has?: Locator): Locator {
    return this.page.locator('.notification-toast', { hasText: text, ...(has && { has }) }).first();
  }

  /**
   * Performs an action on a notification: as a toast if one appears soon, otherwise in the
   * notification center.
   */
  private async withMessage(
    text: string | RegExp,
    use: (message: Locator, timeout: number) => Promise<void>,
    { withinMs = patienceMs, has, name = '' }: MessageOptions = {},
  ): Promise<void> {
    const message = this.toast(text, has).or(this.center.message(text, has)).first();
    const deadline = performance.now() + withinMs;
    try {
      for (;;) {
        try {
          await use(message, glanceMs);
          return;
        } catch (cause) {
          if (performance.now() > deadline) {
            const others = (await this.center.texts()).join('; ');
            throw new Error(`No message ${String(text)} ${name} to use, but: ${others}`, { cause });
          }
        }
        // Reopen the list, because it doesn't scroll when a notification arrives above the visible
        // notifications.
        await this.center.close();
        await this.center.open();
      }
    } finally {
      await this.center.close();
    }
  }
}

/** Other conditions for a notification. */
interface MessageOptions {
  readonly withinMs?: number;
  /** Element that the notification must contain. */
  readonly has?: Locator;
  /** Name of this element, for errors. */
  readonly name?: string;
}

/**
 * Clicks a button. Dispatches the event to the element instead of clicking a position:
 * notifications move when others above them appear or disappear, and another notification might
 * then be at that position.
 */
async function press(button: Locator, timeout: number): Promise<void> {
  await button.click({ timeout, trial: true });
  await button.dispatchEvent('click', {}, { timeout });
}
