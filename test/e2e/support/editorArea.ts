import type { Locator, Page } from 'playwright-core';
import { appears } from './appears';
import { fillIn } from './fillIn';
import { until } from './until';

/** Control on Linux and Windows, Command on macOS. */
const mainModifier = 'ControlOrMeta';
const widgetPatienceMs = 2_000;
const focusPatienceMs = 1_000;

function exactly(text: string): RegExp {
  return new RegExp(`^${exactlyInside(text).source}$`);
}

function exactlyInside(text: string): RegExp {
  // VS Code draws spaces as no-break spaces.
  const words = text.split(' ').map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(words.join('\\s'));
}

/** The open documents. */
export class EditorArea {
  constructor(private readonly page: Page) {}

  /** The tab in front, if it has just this name. */
  activeTab(name: string): Locator {
    return this.page.locator(`.tab.active[aria-label=${JSON.stringify(name)}]`);
  }

  /** The tab in front, if its name begins so. */
  tabStartingWith(name: string): Locator {
    return this.page.locator(`.tab.active[aria-label^=${JSON.stringify(name)}]`);
  }

  /** A drawn line on the changed side of a difference, by a piece of its text. */
  difference(text: string): Locator {
    return this.page
      .locator('.monaco-diff-editor .editor.modified .view-line', { hasText: exactlyInside(text) })
      .first();
  }

  /** The same, if it holds no unsaved edits. */
  activeCleanTab(name: string): Locator {
    return this.activeTab(name).and(this.cleanTab);
  }

  get dirtyTab(): Locator {
    return this.page.locator('.tab.active.dirty');
  }

  get cleanTab(): Locator {
    return this.page.locator('.tab.active:not(.dirty)');
  }

  private get editor(): Locator {
    return this.page.locator('.editor-instance .monaco-editor[role="code"]').last();
  }

  private get focusedEditor(): Locator {
    return this.page.locator('.editor-instance .monaco-editor.focused');
  }

  /** The drawn lines of the document in front; a long document draws only those in sight. */
  async visibleText(): Promise<string> {
    const lines = await this.editor.locator('.view-line').all();
    const placed = await Promise.all(
      lines.map(async (line) => ({
        text: (await line.innerText()).replaceAll('\u00a0', ' '),
        top: (await line.boundingBox())?.y ?? 0,
      })),
    );
    return placed
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text)
      .join('\n');
  }

  /** A drawn line of the document in front by its whole text without the indentation. */
  line(text: string): Locator {
    const trimmed = new RegExp(`^\\s*${exactly(text).source.slice(1)}`);
    return this.editor.locator('.view-line', { hasText: trimmed }).first();
  }

  /** A drawn line of the document in front by a piece of its text. */
  text(text: string): Locator {
    return this.editor.locator('.view-line', { hasText: exactlyInside(text) }).first();
  }

  /** Replaces every occurrence of `text` in the document in front through VS Code's own find widget. */
  async replaceAll(text: string, replacement: string): Promise<void> {
    const widget = await this.find(text, 'h', '.find-widget.visible.replaceToggled');
    await fillIn(widget.locator('.replace-part textarea.input'), replacement);
    const button = widget.locator('.replace-part .codicon-replace-all, .codicon-find-replace-all');
    const isReplaced = widget.locator('.matchesCount', { hasText: 'No results' });
    // The count can be that of the text before, and then nothing is found to replace yet.
    await until(`"${text}" is replaced`, async () => {
      await button.click();
      return replacement.includes(text) || appears(isReplaced, widgetPatienceMs);
    });
    await this.page.keyboard.press('Escape');
  }

  /** Opens the find widget with a key, and looks for a text that is there. */
  private async find(text: string, key: 'f' | 'h', opened: string): Promise<Locator> {
    const widget = this.page.locator(opened);
    await until('the find widget is open', async () => {
      await this.focus();
      await this.page.keyboard.press(`${mainModifier}+${key}`);
      return appears(widget, widgetPatienceMs);
    });
    await fillIn(widget.locator('.find-part textarea.input'), text);
    await widget.locator('.matchesCount', { hasText: ' of ' }).waitFor();
    return widget;
  }

  /**
   * Gives the document in front the focus. By keyboard: a click may meet what stands above the first
   * line, such as the words that compare it with another.
   */
  async focus(): Promise<void> {
    await until('the document in front has the focus', async () => {
      await this.page.keyboard.press(`${mainModifier}+1`);
      return appears(this.focusedEditor, focusPatienceMs);
    });
  }

  /** Selects the first place of a text, wherever in a long document it is, through the find widget. */
  async goToText(text: string): Promise<void> {
    await this.find(text, 'f', '.find-widget.visible');
    await this.page.keyboard.press('Escape');
  }

  /** Types at the cursor once it is in a document, as a keyboard does: auto-indent and auto-close apply. */
  async type(text: string): Promise<void> {
    await this.focusedEditor.waitFor();
    await this.page.keyboard.type(text);
  }

  /** Asks to save. Whether it worked shows in `cleanTab` or a message. */
  async save(): Promise<void> {
    await this.page.keyboard.press(`${mainModifier}+s`);
  }

  /** Saves and waits until the document is not dirty any more; other groups have an active tab as well. */
  async saved(): Promise<void> {
    await this.save();
    await this.page.locator('.editor-group-container.active .tab.active:not(.dirty)').waitFor();
  }
}
