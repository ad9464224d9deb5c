import type { Locator, Page } from 'playwright-core';
import { EditorArea } from './editorArea';
import { FleetView } from './fleetView';
import { Messages } from './messages';
import { QuickInput } from './quickInput';
import { type CommandId, getPaletteTitle } from './texts';

const startLimitMs = 60_000;

/** The VS Code window. */
export class Workbench {
  readonly quickInput: QuickInput;
  readonly fleet: FleetView;
  readonly editors: EditorArea;
  readonly messages: Messages;

  constructor(private readonly page: Page) {
    this.quickInput = new QuickInput(page);
    this.fleet = new FleetView(page);
    this.editors = new EditorArea(page);
    this.messages = new Messages(page);
  }

  /**
   * Resolves when the window is usable, that is, its parts are drawn and the remote is connected.
   */
  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .activitybar').waitFor({ timeout: startLimitMs });
    await this.page
      .locator('.part.statusbar .statusbar-item')
      .first()
      .waitFor({ timeout: startLimitMs });
  }

  /** Runs one of the extension's commands in the palette. */
  async run(command: CommandId): Promise<void> {
    await this.quickInput.runCommand(getPaletteTitle(command));
  }

  /** Runs one of VS Code's commands by its title in the palette, such as `View: Close Editor`. */
  async runBuiltIn(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /** Returns a status bar entry by a substring of its text. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item', { hasText: text });
  }
}
