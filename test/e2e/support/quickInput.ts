import type { JSHandle, Locator, Page } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { appears, succeeds } from './appears';
import { fillIn } from './fillIn';
import { until } from './until';

/** How long a dialog is left alone to see whether it writes into its box. */
const settleMs = 300;
const rowPatienceMs = 1_000;
const focusPatienceMs = 300;
const palettePatienceMs = 2_000;
const fillPatienceMs = 5_000;

/**
 * The box at the top of the window: command palette, lists to pick from, and prompts. VS Code uses one
 * box for all questions, and an answered one stays in it until the extension host puts the next there,
 * which takes a busy one a while: what is typed in the meantime is lost, and what is chosen is chosen in the
 * wrong list. So every method that answers waits until its question is over.
 */
export class QuickInput {
  private readonly widget: Locator;
  private readonly input: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget:visible');
    this.input = this.widget.locator('input.input');
  }

  /**
   * A row of the list by a piece of what a screen reader says of it, in any case. Rows are used again
   * and may hide an older text in themselves, so that only this tells for sure what a row is.
   */
  row(text: string): Locator {
    const label = JSON.stringify(text);
    return this.widget.locator(`.quick-input-list .monaco-list-row[aria-label*=${label} i]`);
  }

  /** The title by a piece of its text; questions with several steps end it with `(1/3)`. */
  title(text: string): Locator {
    return this.widget.locator('.quick-input-title', { hasText: text });
  }

  /** What is wrong with the text typed so far, as the prompt says it. */
  get problem(): Locator {
    return this.widget.locator('.quick-input-message');
  }

  /** How many of a list with several choices are chosen, as the box counts them. */
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

  /** Types into the box, in place of what it held. */
  async type(text: string): Promise<void> {
    await fillIn(this.input, text);
  }

  /** Narrows the list with `filter` and takes the first row that holds `text`, which ends the question. */
  async pick(text: string, filter = text): Promise<void> {
    await this.goTo(text, filter);
    await this.accept();
  }

  /** Runs a command in the palette, which is opened again when VS Code gives the focus to something else. */
  async runCommand(title: string): Promise<void> {
    await this.openPalette();
    await this.goTo(title, `>${title}`, () => this.openPalette());
    await this.accept();
  }

  /** Does the same in a box that stays. */
  async use(text: string, filter = text): Promise<void> {
    await this.goTo(text, filter);
    await this.input.press('Enter');
  }

  /** Types and confirms. */
  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /** Answers a dialog for a file: it writes a name of its own into the box once it has read the folder. */
  async answerPath(path: string): Promise<void> {
    const question = await this.question();
    await until(`the dialog takes ${path}`, async () => {
      if (await this.isOver(question)) return true;
      if ((await this.input.inputValue()) !== path) await this.type(path);
      await sleep(settleMs);
      if ((await this.input.inputValue()) !== path) return false;
      await this.input.press('Enter');
      await sleep(settleMs);
      return this.isOver(question);
    });
    await question.dispose();
  }

  /**
   * Confirms what is typed or chosen, and waits until the question is over, says what is wrong, or stands
   * behind a dialog that asks whether it is meant.
   */
  async accept(): Promise<void> {
    const question = await this.question();
    await this.input.press('Enter');
    const reply = this.refusal.or(this.page.locator('.monaco-dialog-box')).first();
    await until('the box takes the answer', async () => {
      return (await this.isOver(question)) || (await reply.isVisible());
    });
    await question.dispose();
  }

  /** Confirms where the question is to stay. */
  async enter(): Promise<void> {
    await this.input.press('Enter');
  }

  /** Checks all of a list with several choices; none when all are checked. */
  async checkAll(): Promise<void> {
    await this.widget.getByRole('checkbox', { name: 'Toggle all checkboxes' }).click();
  }

  /** Leaves the question without an answer. */
  async leave(): Promise<void> {
    const question = await this.question();
    await this.input.press('Escape');
    await until('the box is left', () => this.isOver(question));
    await question.dispose();
  }

  private get busy(): Locator {
    return this.widget.locator('.quick-input-progress.active');
  }

  private get refusal(): Locator {
    return this.widget.locator('.quick-input-box .monaco-inputbox.error');
  }

  /** Makes the row the one that Enter takes. By keyboard: a click goes to a place, whatever is there. */
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
      if ((await this.input.inputValue()) !== filter) {
        if (!(await succeeds(this.input.fill(filter, { timeout: fillPatienceMs })))) return false;
      }
      if (!(await appears(this.row(text).first(), rowPatienceMs))) return false;
      // While a list fills, the extension host replaces its rows and loses what is accepted just then.
      if (await this.busy.isVisible()) return false;
      if (!(await appears(focused, focusPatienceMs))) await this.input.press('ArrowDown');
      return (await focused.isVisible()) && (await this.input.inputValue()) === filter;
    });
  }

  /** What stands for a question: VS Code writes the title again for each, even where there is none. */
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
