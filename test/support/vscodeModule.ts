/**
 * Fake of the members of `vscode` that prompts, progress notifications, and notebook outputs need,
 * for use without an extension host.
 */
export { env, l10n } from '../webview/support/vscodeTexts';

type Listener = (value: unknown) => void;

export class EventEmitter {
  private readonly listeners = new Set<Listener>();

  readonly event = (listener: Listener): { dispose: () => void } => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  fire(value: unknown): void {
    for (const listener of this.listeners) listener(value);
  }
}

export const ProgressLocation = { Notification: 15 };

export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}

export class Diagnostic {
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: number,
  ) {}
}

interface Token {
  isCancellationRequested: boolean;
  readonly onCancellationRequested: EventEmitter['event'];
}

/** Functions that cancel the operations of visible notifications. */
const cancellations = new Set<() => void>();

/** Cancels the operations of all notifications, as if a user pressed Cancel. */
export function cancelProgress(): void {
  for (const cancel of cancellations) cancel();
}

export class McpStdioServerDefinition {
  constructor(
    readonly label: string,
    readonly command: string,
    readonly args: readonly string[],
    readonly env: Readonly<Record<string, string>>,
    readonly version: string,
  ) {}
}

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}

export class LanguageModelToolResult {
  constructor(readonly content: readonly LanguageModelTextPart[]) {}
}

export class TabInputNotebook {
  constructor(readonly uri: object) {}
}

interface Tab {
  readonly input: unknown;
}

const rendererMessages = new EventEmitter();
const tabChanges = new EventEmitter();
/** Tabs of the only tab group. */
const openTabs: Tab[] = [];

/** Opens and closes tabs, and sends messages of notebook outputs, as an editor does. */
export const editorArea = {
  open: (input: object): void => {
    openTabs.push({ input });
  },
  close: (input: object): void => {
    const closed = openTabs.splice(
      openTabs.findIndex((tab) => tab.input === input),
      1,
    );
    tabChanges.fire({ opened: [], changed: [], closed });
  },
  sendFromOutput: (notebook: object, message: object): void => {
    rendererMessages.fire({ editor: { notebook }, message });
  },
};

export const notebooks = {
  createRendererMessaging: () => ({
    onDidReceiveMessage: rendererMessages.event,
    postMessage: () => Promise.resolve(true),
  }),
};

/** Workspace without open documents. */
/** Values of settings that aren't the default. */
export const configuration = new Map<string, unknown>();

export const workspace = {
  textDocuments: [],
  getConfiguration: () => ({
    get: (key: string, defaultValue: unknown) =>
      configuration.has(key) ? configuration.get(key) : defaultValue,
  }),
  onDidCloseNotebookDocument: new EventEmitter().event,
};

type Work = (progress: { report: () => void }, token: Token) => Promise<unknown>;

/** Members of `window`; `ScriptedPrompts` adds prompts. */
export const window = {
  tabGroups: { all: [{ tabs: openTabs }], onDidChangeTabs: tabChanges.event },
  withProgress: async (_options: unknown, work: Work): Promise<unknown> => {
    const emitter = new EventEmitter();
    const token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
    const cancel = (): void => {
      token.isCancellationRequested = true;
      emitter.fire(undefined);
    };
    cancellations.add(cancel);
    try {
      return await work({ report: () => undefined }, token);
    } finally {
      cancellations.delete(cancel);
    }
  },
};
