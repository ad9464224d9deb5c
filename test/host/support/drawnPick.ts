import * as vscode from 'vscode';
import { until } from './until';

/** Types and presses keys in the quick pick that VS Code draws, faster than a user. */
export class DrawnPick {
  private readonly original = vscode.window.createQuickPick;
  private created: vscode.QuickPick<vscode.QuickPickItem> | undefined;

  constructor() {
    const { original } = this;
    Object.assign(vscode.window, {
      createQuickPick: () => (this.created = original()),
    });
  }

  [Symbol.dispose](): void {
    this.created?.dispose();
    Object.assign(vscode.window, { createQuickPick: this.original });
  }

  get labels(): readonly string[] {
    return this.pick.items.map(({ label }) => label);
  }

  get active(): string | undefined {
    return this.pick.activeItems[0]?.label;
  }

  /** Replaces the typed text, and resolves once the quick pick has reported it. */
  async type(value: string): Promise<void> {
    const reported = new Promise<void>((resolve) => {
      const listener = this.pick.onDidChangeValue((reportedValue) => {
        if (reportedValue !== value) return;
        listener.dispose();
        resolve();
      });
    });
    this.pick.value = value;
    await reported;
  }

  async pressDown(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
  }

  async pressEnter(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
  }

  async lists(...labels: readonly string[]): Promise<void> {
    await until(`the list ${labels.join(', ')}`, () => this.labels.join() === labels.join());
  }

  private get pick(): vscode.QuickPick<vscode.QuickPickItem> {
    if (!this.created) throw new Error('No quick pick was created.');
    return this.created;
  }
}
