import assert from 'node:assert/strict';
import type { JSHandle, Locator, Page } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { appears, succeeds } from './appears';
import { fillIn } from './fillIn';
import { until } from './until';

/** Time to wait for a dialog to change the text in its input. */
const idleCheckMs = 300;
const rowPatienceMs = 1_000;
const focusPatienceMs = 300;
const palettePatienceMs = 2_000;
const fillPatienceMs = 5_000;

/**
 * The quick input at the top of the window: command palette, lists, and prompts. VS Code uses the
 * same element for all of them. It keeps showing an answered prompt until the extension host shows
 * the next one, which can take a while. Text typed in the meantime is lost, and a selection applies
 * to the wrong list. Therefore, every method that answers a prompt waits until that prompt is
 * closed.
 */
export class QuickInput {
  private readonly widget: Locator;
  private readonly input: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget:visible');
    this.input = this.widget.locator('input.input');
  }

  /**
   * Returns a row of the list by a substring of its accessible text, ignoring case. VS Code reuses
   * rows, which can contain older hidden text, so only the accessible text reliably identifies a
   * row.
   */
  row(text: string): Locator {
    const label = JSON.stringify(text);
    return this.widget.locator(`.quick-input-list .monaco-list-row[aria-label*=${label} i]`);
  }

  /** Returns the title by a substring; titles of multi-step prompts end with `(1/3)`. */
  title(text: string): Locator {
    return this.widget.locator('.quick-input-title', { hasText: text });
  }

  /** The validation message for the typed text. */
  get problem(): Locator {
    return this.widget.locator('.quick-input-message');
  }

  /** Returns the displayed number of selected items in a multi-select list. */
  selectedCount(text: string): Locator {
    return this.widget.locator('.quick-input-count', { hasText: text });
  }

  /** Opens the command palette. */
  async openPalette(): Promise<void> {
    await until('the command palette is open', async () => {
      await this.page.keyboard.press('F1');
      return appears(this.widget, palettePatienceMs);
    });
  }

  /** Replaces the text in the input. */
  async type(text: string): Promise<void> {
    await fillIn(this.input, text);
  }

  /**
   * Filters the list with `filter` and selects the first row that contains `text`, which closes the
   * prompt.
   */
  async pick(text: string, filter = text): Promise<void> {
    await this.goTo(text, filter);
    await this.accept();
  }

  /**
   * Runs a command in the palette. VS Code closes the palette if the focus moves elsewhere, and this
   * method then reopens it.
   */
  async runCommand(title: string): Promise<void> {
    await until(`the palette runs "${title}"`, async () => {
      await this.openPalette();
      await this.goTo(title, `>${title}`, () => this.openPalette());
      const question = await this.question().catch(() => undefined);
      if (!question || !(await this.pressEnter())) return false;
      await this.waitForReply(question);
      return true;
    });
  }

  /** Like `pick`, but for a prompt that stays open. */
  async use(text: string, filter = text): Promise<void> {
    await this.goTo(text, filter);
    await this.enter();
  }

  /** Types the given text and confirms. */
  async enterText(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /**
   * Answers a file dialog. The dialog puts its own file name into the input once it has read the
   * folder.
   */
  async enterPath(path: string): Promise<void> {
    const question = await this.question();
    await until(`the dialog takes ${path}`, async () => {
      if (await this.isOver(question)) return true;
      if ((await this.readText()) !== path) await this.type(path);
      await sleep(idleCheckMs);
      if ((await this.readText()) !== path) return false;
      await this.input.press('Enter');
      await sleep(idleCheckMs);
      return this.isOver(question);
    });
    await question.dispose();
  }

  /**
   * Confirms the text or selection, and waits until the prompt closes, shows a validation message,
   * or is covered by a confirmation dialog.
   */
  async accept(): Promise<void> {
    const question = await this.question();
    await this.enter();
    await this.waitForReply(question);
  }

  /** Confirms in a prompt that stays open. */
  async enter(): Promise<void> {
    assert.ok(await this.pressEnter(), 'The prompt closed before it received Enter.');
  }

  /** Checks all items of a multi-select list unless they are already checked. */
  async checkAll(): Promise<void> {
    await this.widget.getByRole('checkbox', { name: 'Toggle all checkboxes' }).click();
  }

  /** Closes the prompt without an answer. */
  async leave(): Promise<void> {
    const question = await this.question();
    await this.input.press('Escape');
    await until('the box is left', () => this.isOver(question));
    await question.dispose();
  }

  /**
   * Presses Enter until the prompt receives the key: while a webview loads, VS Code can focus it, and
   * the browser then sends keys to the frame of the webview. Resolves to false if the prompt closes
   * before it receives the key.
   */
  private async pressEnter(): Promise<boolean> {
    const pending = this.widget.evaluateHandle(countEnters, undefined, { timeout: fillPatienceMs });
    const enters = await pending.catch(() => undefined);
    if (!enters) return false;
    let count = 0;
    await until('the prompt receives Enter or closes', async () => {
      const isPressed = await succeeds(this.input.press('Enter', { timeout: fillPatienceMs }));
      count = await enters.evaluate((received) => received.count);
      return count > 0 || !isPressed;
    });
    await enters.evaluate((counter) => {
      counter.stop();
    });
    await enters.dispose();
    return count > 0;
  }

  /** Waits until a prompt closes, shows a validation message, or is covered by a dialog. */
  private async waitForReply(question: JSHandle<Node | null>): Promise<void> {
    const reply = this.validationError.or(this.page.locator('.monaco-dialog-box')).first();
    await until('the prompt closes or shows a reply', async () => {
      return (await this.isOver(question)) || (await reply.isVisible());
    });
    await question.dispose();
  }

  private get busy(): Locator {
    return this.widget.locator('.quick-input-progress.active');
  }

  private get validationError(): Locator {
    return this.widget.locator('.quick-input-box .monaco-inputbox.error');
  }

  /**
   * Makes a row active so that Enter selects it. Uses the keyboard, because a click would hit
   * whatever element is at the row's position at that time.
   */
  private async goTo(
    text: string,
    filter: string,
    reopen: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const focused = this.row(text).and(this.widget.locator('.monaco-list-row.focused'));
    await until(`there is a row "${text}"`, async () => {
      if (!(await appears(this.widget, palettePatienceMs))) {
        await reopen();
        return false;
      }
      if ((await this.readText()) !== filter) {
        if (!(await succeeds(this.input.fill(filter, { timeout: fillPatienceMs })))) return false;
      }
      if (!(await appears(this.row(text).first(), rowPatienceMs))) return false;
      // While a list is being filled, the extension host replaces its rows, which discards the
      // selection.
      if (await this.busy.isVisible()) return false;
      if (!(await appears(focused, focusPatienceMs))) {
        await succeeds(this.input.press('ArrowDown', { timeout: fillPatienceMs }));
      }
      return (await focused.isVisible()) && (await this.readText()) === filter;
    });
  }

  /** Returns the text in the input; undefined if VS Code closes the prompt in the meantime. */
  private readText(): Promise<string | undefined> {
    return this.input.inputValue({ timeout: fillPatienceMs }).catch(() => undefined);
  }

  /**
   * Returns a node that identifies a prompt: VS Code sets a new title for each prompt, even if the
   * title is empty.
   */
  private async question(): Promise<JSHandle<Node | null>> {
    return this.widget.locator('.quick-input-title').evaluateHandle((title) => title.firstChild);
  }

  private async isOver(question: JSHandle<Node | null>): Promise<boolean> {
    const stands = await question.evaluate((node) => {
      const widget = node?.parentElement?.closest<HTMLElement>('.quick-input-widget');
      return widget !== null && widget !== undefined && widget.style.display !== 'none';
    });
    return !stands;
  }
}

/** Counts how often the given prompt receives Enter, until `stop` is called. */
function countEnters(widget: HTMLElement | SVGElement): EnterCounter {
  // Uses methods, because the loader wraps function expressions in a helper that pages don't have.
  const counter: EnterCounter = {
    count: 0,
    handleEvent(event: KeyboardEvent) {
      if (event.key === 'Enter') counter.count += 1;
    },
    stop() {
      widget.removeEventListener('keydown', counter, true);
    },
  };
  widget.addEventListener('keydown', counter, true);
  return counter;
}

interface EnterCounter {
  count: number;
  handleEvent(event: KeyboardEvent): void;
  stop(): void;
}
