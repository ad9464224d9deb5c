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

/** The open documents and their editors. */
export class EditorArea {
  constructor(private readonly page: Page) {}

  /** Returns the active tab, if it has exactly this name. */
  activeTab(name: string): Locator {
    return this.page.locator(`.tab.active[aria-label=${JSON.stringify(name)}]`);
  }

  /** Returns the active tab, if its name starts with this text. */
  tabStartingWith(name: string): Locator {
    return this.page.locator(`.tab.active[aria-label^=${JSON.stringify(name)}]`);
  }

  /** Returns a drawn line on the changed side of a diff, by a substring of its text. */
  difference(text: string): Locator {
    return this.page
      .locator('.monaco-diff-editor .editor.modified .view-line', { hasText: exactlyInside(text) })
      .first();
  }

  /** Like `activeTab`, but only if the document has no unsaved edits. */
  activeCleanTab(name: string): Locator {
    return this.activeTab(name).and(this.cleanTab);
  }

  /** Returns the marks below the mistakes in the active document. */
  get marks(): Locator {
    return this.editor.locator('.squiggly-error, .squiggly-warning, .squiggly-info');
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

  /**
   * Returns the lines of the active document that are drawn; in a long document, only the visible
   * lines are.
   */
  async getVisibleText(): Promise<string> {
    const lines = await this.editor.locator('.view-line').all();
    const drawnLines = await Promise.all(
      lines.map(async (line) => ({
        text: (await line.innerText()).replaceAll('\u00a0', ' '),
        top: (await line.boundingBox())?.y ?? 0,
      })),
    );
    return drawnLines
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text)
      .join('\n');
  }

  /** Returns a drawn line of the active document by its full text without the indentation. */
  line(text: string): Locator {
    const trimmed = new RegExp(`^\\s*${exactly(text).source.slice(1)}`);
    return this.editor.locator('.view-line', { hasText: trimmed }).first();
  }

  /** Returns a drawn line of the active document by a substring of its text. */
  text(text: string): Locator {
    return this.editor.locator('.view-line', { hasText: exactlyInside(text) }).first();
  }

  /** Replaces every occurrence of `text` in the active document with VS Code's own find widget. */
  async replaceAll(text: string, replacement: string): Promise<void> {
    const widget = await this.find(text, 'h', '.find-widget.visible.replaceToggled');
    await fillIn(widget.locator('.replace-part textarea.input'), replacement);
    const button = widget.locator('.replace-part .codicon-replace-all, .codicon-find-replace-all');
    const isReplaced = widget.locator('.matchesCount', { hasText: 'No results' });
    // The count might still belong to the previous text, in which case there is nothing to replace
    // yet, so try again.
    await until(`"${text}" is replaced`, async () => {
      await button.click();
      return replacement.includes(text) || appears(isReplaced, widgetPatienceMs);
    });
    await this.page.keyboard.press('Escape');
  }

  /** Opens the find widget with a key and searches for text that the document contains. */
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
   * Focuses the active document. Uses the keyboard, because a click can hit an element above the
   * first line, such as a code lens.
   */
  async focus(): Promise<void> {
    await until('the document in front has the focus', async () => {
      await this.page.keyboard.press(`${mainModifier}+1`);
      return appears(this.focusedEditor, focusPatienceMs);
    });
  }

  /**
   * Selects the first match of the given text in a document of any length, using the find widget.
   */
  async goToText(text: string): Promise<void> {
    await this.find(text, 'f', '.find-widget.visible');
    await this.page.keyboard.press('Escape');
  }

  /**
   * Types at the cursor once the cursor is in a document. As with a keyboard, auto-indent and
   * auto-close apply.
   */
  async type(text: string): Promise<void> {
    await this.focusedEditor.waitFor();
    await this.page.keyboard.type(text);
  }

  /** Starts a save. `cleanTab` or a message shows whether it succeeded. */
  async save(): Promise<void> {
    await this.page.keyboard.press(`${mainModifier}+s`);
  }

  /**
   * Saves the document and waits until an active tab isn't dirty. With multiple editor groups, this
   * can be the active tab of another group.
   */
  async saved(): Promise<void> {
    await this.save();
    await this.page.locator('.editor-group-container.active .tab.active:not(.dirty)').waitFor();
  }
}
