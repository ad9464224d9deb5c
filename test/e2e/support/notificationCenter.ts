import type { JSHandle, Locator, Page } from 'playwright-core';

const hidePatienceMs = 1_000;
const openGlanceMs = 3_000;
const openPatienceMs = 60_000;

/**
 * The list of all notifications that aren't dismissed, which opens above the bell in the status
 * bar.
 */
export class NotificationCenter {
  private readonly list: Locator;
  /** The element that had the focus when the list was opened. */
  private before: JSHandle<Element | null> | undefined;

  constructor(private readonly page: Page) {
    this.list = page.locator('.notifications-center.visible');
  }

  /**
   * Returns the newest notification with this text, while the list is open. @param has element that
   * the notification must contain
   */
  message(text: string | RegExp, has?: Locator): Locator {
    const options = { hasText: text, ...(has && { has }) };
    return this.list.locator('.notification-list-item', options).first();
  }

  /** Returns the text of each visible notification in the open list, newest first. */
  async texts(): Promise<string[]> {
    return this.list.locator('.notification-list-item-message').allInnerTexts();
  }

  /**
   * Opens the list unless it is open. VS Code moves all toasts into the list and closes it once it
   * is empty.
   */
  async open(): Promise<void> {
    if (await this.list.isVisible()) return;
    this.before = await this.page.evaluateHandle(() => document.activeElement);
    const bell = this.page.locator('[id="status.notifications"] a');
    const deadline = performance.now() + openPatienceMs;
    do {
      // Don't use the mouse, so that no other element of the page loses the focus or the pointer.
      await bell.dispatchEvent('click');
      // Just after the list was closed, the bell can still have the command that closes it.
      await this.list.waitFor({ timeout: openGlanceMs }).catch((error: unknown) => {
        if (performance.now() > deadline) throw error;
      });
    } while (!(await this.list.isVisible()));
  }

  /** Closes the list if it is open, and restores the focus unless another element took it. */
  async close(): Promise<void> {
    const { before } = this;
    this.before = undefined;
    const hide = this.list.locator('.codicon-notifications-hide');
    while (await this.list.isVisible()) {
      await before?.evaluate((element) => {
        const center = document.querySelector('.notifications-center');
        if (!center?.contains(document.activeElement)) return;
        if (element instanceof HTMLElement) element.focus();
      });
      // The list can close automatically in the meantime.
      await hide.dispatchEvent('click', {}, { timeout: hidePatienceMs }).catch(() => undefined);
      await this.list.waitFor({ state: 'hidden', timeout: hidePatienceMs }).catch(() => undefined);
    }
    await before?.dispose();
  }
}
