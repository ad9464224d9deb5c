import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { NotificationCenter } from './notificationCenter';

/** How long to look at one place before looking at the next. */
const glanceMs = 2_000;
const patienceMs = 60_000;

/**
 * Messages in the corner and dialogs in the middle. VS Code shows a message as a toast only while few
 * others came within the same second or still stand there, and takes it away after a while. All stay
 * in its notification center until they are put away: so every method here looks there too.
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

  /** Waits until VS Code has a message with this text, wherever it shows it. */
  async told(text: string | RegExp, withinMs = patienceMs): Promise<void> {
    await this.withMessage(text, (message, timeout) => message.waitFor({ timeout }), withinMs);
  }

  /** Presses a button of the newest message with this text. */
  async answer(text: string | RegExp, button: string): Promise<void> {
    await this.withMessage(text, (message, timeout) =>
      press(message.getByRole('button', { name: button }), timeout),
    );
  }

  /** Presses a link in the words of the newest message with this text. */
  async follow(text: string | RegExp, link: string): Promise<void> {
    await this.withMessage(text, (message, timeout) =>
      press(message.getByRole('link', { name: link, exact: true }), timeout),
    );
  }

  /** Waits until VS Code has no message with this text, and none waits behind the bell. */
  async gone(text: string | RegExp): Promise<void> {
    await this.toast(text).waitFor({ state: 'detached' });
    await this.center.open();
    await this.center.message(text).waitFor({ state: 'detached' });
    await this.center.close();
  }

  /** Presses a button of the modal dialog, and waits until it is gone: another may follow it. */
  async answerDialog(button: string): Promise<void> {
    const dialog = await this.dialog.elementHandle();
    assert.ok(dialog);
    await this.dialog.getByRole('button', { name: button }).click();
    await dialog.waitForElementState('hidden');
    await dialog.dispose();
  }

  private toast(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast', { hasText: text }).first();
  }

  /** Uses a message where it is: as a toast if it is one soon, else in the notification center. */
  private async withMessage(
    text: string | RegExp,
    use: (message: Locator, timeout: number) => Promise<void>,
    withinMs = patienceMs,
  ): Promise<void> {
    const message = this.toast(text).or(this.center.message(text)).first();
    const deadline = performance.now() + withinMs;
    try {
      for (;;) {
        try {
          await use(message, glanceMs);
          return;
        } catch (cause) {
          if (performance.now() > deadline) {
            const others = (await this.center.texts()).join('; ');
            throw new Error(`No message ${String(text)} to use, but: ${others}`, { cause });
          }
        }
        // Again, since the list stays where it is when a message comes in above what it shows.
        await this.center.close();
        await this.center.open();
      }
    } finally {
      await this.center.close();
    }
  }
}

/**
 * Presses what can be pressed. Not at its place, as the mouse does: messages move up when one above them
 * goes or comes, and then another one is there.
 */
async function press(button: Locator, timeout: number): Promise<void> {
  await button.click({ timeout, trial: true });
  await button.dispatchEvent('click', {}, { timeout });
}
