import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { waitForValue } from '../../support/waitUntil';

/** A prompt that waits for its answer: a list, an input box, or a modal dialog. */
export interface ShownPrompt {
  /**
   * Returns all text that the user reads before answering, such as title, prompt, and placeholder.
   */
  text(): string;
  /** Returns the labels of a list, or the buttons of a dialog. */
  choices(): readonly string[];
  /** Returns the number of checked items of a list. */
  checked(): number;
  /** Checks exactly the list items whose text contains one of the given strings. */
  check(texts: readonly string[]): void;
  /** Types into an input box and returns its validation message. */
  type(value: string): string;
  /** Selects the choice whose text contains `choice`, or accepts the typed text. */
  accept(choice?: string): void;
  /** Closes the prompt without an answer. */
  leave(): void;
  isOpen(): boolean;
}

/** A notification. */
interface ShownMessage {
  readonly text: string;
  answer(button: string | undefined): void;
  readonly buttons: readonly string[];
}

type QuickPickItems = readonly vscode.QuickPickItem[] | Thenable<readonly vscode.QuickPickItem[]>;

type Stubbed = Pick<
  typeof vscode.window,
  | 'createInputBox'
  | 'createQuickPick'
  | 'showErrorMessage'
  | 'showInformationMessage'
  | 'showOpenDialog'
  | 'showQuickPick'
  | 'showSaveDialog'
  | 'showWarningMessage'
>;

/**
 * Answers the extension's prompts like a user, without drawing them. Replaces functions of
 * `vscode.window` until `dispose` is called.
 */
export class ScriptedPrompts implements Disposable {
  private readonly shown: ShownPrompt[] = [];
  private messages: ShownMessage[] = [];
  private readonly original: Stubbed;

  constructor() {
    const { window } = vscode;
    this.original = {
      createInputBox: window.createInputBox,
      createQuickPick: window.createQuickPick,
      showErrorMessage: window.showErrorMessage,
      showInformationMessage: window.showInformationMessage,
      showOpenDialog: window.showOpenDialog,
      showQuickPick: window.showQuickPick,
      showSaveDialog: window.showSaveDialog,
      showWarningMessage: window.showWarningMessage,
    };
    const show = (...args: unknown[]): Promise<unknown> => this.showMessage(args);
    Object.assign(window, {
      createInputBox: () => this.createBox(),
      createQuickPick: () => this.createBox(),
      showErrorMessage: show,
      showInformationMessage: show,
      // File dialogs are canceled.
      showOpenDialog: () => Promise.resolve(undefined),
      showSaveDialog: () => Promise.resolve(undefined),
      showQuickPick: (items: QuickPickItems, options?: vscode.QuickPickOptions) =>
        this.showQuickPick(items, options),
      showWarningMessage: show,
    });
  }

  [Symbol.dispose](): void {
    Object.assign(vscode.window, this.original);
  }

  /** Waits for the next prompt whose text matches. */
  async next(text: string | RegExp): Promise<ShownPrompt> {
    return until(
      () => this.shown.find((prompt) => prompt.isOpen() && matches(prompt.text(), text)),
      () => `a prompt ${String(text)}, but: ${this.describe()}`,
    );
  }

  /** Selects a choice of a list by a part of its text. */
  async pick(title: string | RegExp, choice: string): Promise<void> {
    const prompt = await this.next(title);
    await until(
      () => prompt.choices().some((one) => one.includes(choice)) || undefined,
      () => `a choice "${choice}" among: ${prompt.choices().join('; ')}`,
    );
    prompt.accept(choice);
    await this.closed(prompt);
  }

  /** Accepts the checked items of a list once the expected number of items is checked. */
  async acceptChecked(title: string | RegExp, count: number): Promise<void> {
    const prompt = await this.next(title);
    await until(
      () => prompt.checked() === count || undefined,
      () => `${count} checked items, but: ${prompt.checked()}`,
    );
    prompt.accept();
    await this.closed(prompt);
  }

  /** Types into an input box, accepts the text, and waits until the box closes. */
  async enterText(title: string | RegExp, value: string): Promise<void> {
    const prompt = await this.next(title);
    prompt.type(value);
    prompt.accept();
    await this.closed(prompt);
  }

  /** Types into an input box and waits for its validation message. */
  async validates(title: string | RegExp, value: string, problem: string | RegExp): Promise<void> {
    const prompt = await this.next(title);
    prompt.type(value);
    await until(
      () => matches(prompt.type(value), problem) || undefined,
      () => `"${value}" to be validated with ${String(problem)}, but: ${prompt.type(value)}`,
    );
  }

  /** Clicks a button of a modal dialog. */
  async confirm(text: string | RegExp, button: string): Promise<void> {
    (await this.next(text)).accept(button);
  }

  /** Waits for a notification, and clicks one of its buttons if specified. */
  async message(text: string | RegExp, button?: string): Promise<void> {
    const message = await until(
      () => this.messages.find((one) => matches(one.text, text)),
      () => `a message ${String(text)}, but: ${this.describe()}`,
    );
    this.messages = this.messages.filter((one) => one !== message);
    assert.ok(
      button === undefined || message.buttons.includes(button),
      `no button ${button ?? ''}`,
    );
    message.answer(button);
  }

  /**
   * Waits for a notification and dismisses it.
   * @returns the labels of its buttons
   */
  async dismissAndGetButtons(text: string | RegExp): Promise<readonly string[]> {
    const message = await until(
      () => this.messages.find((one) => matches(one.text, text)),
      () => `a message ${String(text)}, but: ${this.describe()}`,
    );
    this.messages = this.messages.filter((one) => one !== message);
    message.answer(undefined);
    return message.buttons;
  }

  /**
   * Answers each open prompt like a user who agrees to everything: selects a choice of each list and
   * dialog, and accepts texts as they are. Closes all notifications.
   * @param index index of the choice in a list; the last one if the list is shorter
   * @returns the number of answered prompts
   */
  agreeToAll(index: number): number {
    const open = this.shown.filter((prompt) => prompt.isOpen());
    for (const prompt of open) {
      const choices = prompt.choices();
      prompt.accept(choices[Math.min(index, choices.length - 1)]);
    }
    this.closeMessages();
    return open.length;
  }

  /** Closes all prompts and notifications without an answer. */
  leaveAll(): void {
    for (const prompt of this.shown) if (prompt.isOpen()) prompt.leave();
    this.closeMessages();
  }

  /** Text of each notification that hasn't been answered. */
  get openMessages(): readonly string[] {
    return this.messages.map(({ text }) => text);
  }

  /** Text of each prompt that is open. */
  get openTexts(): readonly string[] {
    return this.shown.filter((prompt) => prompt.isOpen()).map((prompt) => prompt.text());
  }

  /** Waits until a list has items. */
  async filled(prompt: ShownPrompt): Promise<void> {
    await until(
      () => prompt.choices().length > 0 || undefined,
      () => `items of ${prompt.text()}`,
    );
  }

  private async closed(prompt: ShownPrompt): Promise<void> {
    await until(
      () => !prompt.isOpen() || undefined,
      () => `the prompt to close: ${prompt.text()}`,
    );
  }

  private closeMessages(): void {
    for (const message of this.messages.splice(0)) message.answer(undefined);
  }

  private describe(): string {
    const open = this.shown.filter((prompt) => prompt.isOpen()).map((prompt) => prompt.text());
    return [...open, ...this.messages.map(({ text }) => text)].join('; ');
  }

  private showMessage([text, ...rest]: unknown[]): Promise<unknown> {
    const [first] = rest;
    const options = isOptions(first) ? first : undefined;
    const items = (options ? rest.slice(1) : rest) as (string | vscode.MessageItem)[];
    const label = (item: string | vscode.MessageItem): string =>
      typeof item === 'string' ? item : item.title;
    return new Promise((resolve) => {
      let isOpen = true;
      const end = (choice: string | undefined): void => {
        isOpen = false;
        resolve(items.find((item) => choice !== undefined && label(item) === choice));
      };
      if (options?.modal !== true) {
        this.messages.push({ text: String(text), buttons: items.map(label), answer: end });
        return;
      }
      this.shown.push({
        text: () => `${String(text)}\n${options.detail ?? ''}`,
        choices: () => items.map(label),
        checked: () => 0,
        check: () => assert.fail('A dialog has no list.'),
        type: () => assert.fail('A dialog takes no text.'),
        accept: (choice) => {
          assert.ok(
            items.length === 0 || items.some((item) => label(item) === choice),
            `no button ${choice ?? ''}`,
          );
          end(choice);
        },
        leave: () => end(undefined),
        isOpen: () => isOpen,
      });
    });
  }

  private async showQuickPick(items: QuickPickItems, options?: vscode.QuickPickOptions) {
    const box = this.createBox();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    box.title = options?.title ?? '';
    box.placeholder = options?.placeHolder ?? '';
    box.onDidHide(() => resolve(undefined));
    box.onDidAccept(() => {
      const [item] = box.selectedItems;
      resolve(options?.canPickMany ? box.selectedItems : item);
      box.hide();
    });
    box.show();
    box.items = await items;
    if (options?.canPickMany) box.selectedItems = box.items.filter(({ picked }) => picked);
    return promise;
  }

  private createBox(): ScriptedBox {
    const box = new ScriptedBox();
    this.shown.push(box);
    return box;
  }
}

/** Fake of both kinds of boxes that extensions can create: input boxes and quick picks. */
class ScriptedBox implements ShownPrompt {
  title = '';
  prompt = '';
  placeholder = '';
  value = '';
  validationMessage: string | vscode.InputBoxValidationMessage | undefined;
  busy = false;
  enabled = true;
  canSelectMany = false;
  items: readonly vscode.QuickPickItem[] = [];
  activeItems: readonly vscode.QuickPickItem[] = [];
  selectedItems: readonly vscode.QuickPickItem[] = [];
  buttons: readonly vscode.QuickInputButton[] = [];
  private readonly accepted = new vscode.EventEmitter<void>();
  private readonly changedValue = new vscode.EventEmitter<string>();
  private readonly hidden = new vscode.EventEmitter<void>();
  private readonly changedActive = new vscode.EventEmitter<readonly vscode.QuickPickItem[]>();
  private readonly changedSelection = new vscode.EventEmitter<readonly vscode.QuickPickItem[]>();
  private readonly triggered = new vscode.EventEmitter<vscode.QuickInputButton>();
  private readonly triggeredItem = new vscode.EventEmitter<
    vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>
  >();
  readonly onDidAccept = this.accepted.event;
  readonly onDidChangeValue = this.changedValue.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidChangeActive = this.changedActive.event;
  readonly onDidChangeSelection = this.changedSelection.event;
  readonly onDidTriggerButton = this.triggered.event;
  readonly onDidTriggerItemButton = this.triggeredItem.event;
  private isShown = false;

  show(): void {
    this.isShown = true;
  }

  hide(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.hidden.fire();
  }

  dispose(): void {
    this.hide();
  }

  text(): string {
    return [this.title, this.prompt, this.placeholder].join('\n');
  }

  choices(): readonly string[] {
    return this.items.map(describeItem);
  }

  checked(): number {
    return this.selectedItems.length;
  }

  check(texts: readonly string[]): void {
    const isChosen = (item: vscode.QuickPickItem): boolean =>
      texts.some((text) => describeItem(item).includes(text));
    this.selectedItems = this.items.filter(isChosen);
    this.changedSelection.fire(this.selectedItems);
  }

  type(value: string): string {
    if (this.value !== value) {
      this.value = value;
      this.changedValue.fire(value);
    }
    const message = this.validationMessage ?? '';
    return typeof message === 'string' ? message : message.message;
  }

  accept(choice?: string): void {
    if (choice !== undefined) {
      const item = this.items.find((one) => describeItem(one).includes(choice));
      assert.ok(item, choice);
      this.activeItems = [item];
      this.changedActive.fire(this.activeItems);
      this.selectedItems = [item];
      this.changedSelection.fire(this.selectedItems);
    }
    this.accepted.fire();
  }

  leave(): void {
    this.hide();
  }

  isOpen(): boolean {
    return this.isShown;
  }
}

function describeItem(item: vscode.QuickPickItem): string {
  return [item.label, item.description, item.detail].filter(Boolean).join(' ');
}

function matches(text: string, pattern: string | RegExp): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text);
}

function isOptions(value: unknown): value is vscode.MessageOptions {
  return typeof value === 'object' && value !== null && !('title' in value);
}

function until<T>(find: () => T | undefined, describeState: () => string): Promise<T> {
  return waitForValue(find, { describeState, pollMs: 10 });
}
