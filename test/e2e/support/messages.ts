import type { Locator, Page } from 'playwright-core';

/** Toasts in the corner and dialogs in the middle. */
export class Messages {
  constructor(private readonly page: Page) {}

  /** A toast by a piece of its text. */
  toast(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast', { hasText: text });
  }

  /** The modal dialog. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** A link in the first toast with this text. */
  link(text: string | RegExp, label: string): Locator {
    return this.toast(text).first().getByRole('link', { name: label });
  }

  /** Presses a button of the first toast with this text. */
  async answerToast(text: string | RegExp, button: string): Promise<void> {
    await this.toast(text).first().getByRole('button', { name: button }).click();
  }

  /** Presses a button of the modal dialog. */
  async answerDialog(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button }).click();
  }
}
