import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Logger } from '../../../core/ports';
import { notebooks } from '../../../manifest/contributions';
import type { HostHandlers } from '../../../shared/protocol';
import {
  isPackedMessage,
  type PackedMessage,
  packMessage,
  type QueryNotebookProtocol,
  queryNotebookProtocol,
  unpackMessage,
} from '../../../shared/query/queryNotebook';
import type { ResultStatus } from '../../../shared/query/results';
import { type MessagePort, WebviewDispatcher } from '../../platform/webview/webviewDispatcher';
import { Emitter } from '../../../base/emitter';

export interface RendererPagesOptions {
  /** Loaded for the first page. */
  readonly handlers: () => Promise<HostHandlers<QueryNotebookProtocol>>;
  readonly presentError: (error: unknown) => void;
  readonly log: Logger;
}

interface ReceivedMessage {
  readonly editor: vscode.NotebookEditor;
  readonly message: unknown;
}

interface OpenPage {
  readonly page: RendererPage;
  readonly dispatcher: WebviewDispatcher<QueryNotebookProtocol>;
}

/**
 * Output pages of all notebook editors. A page ends with the last tab of its notebook, because VS
 * Code can keep the notebook itself open for minutes.
 */
export class RendererPages extends Disposable {
  private readonly messaging = vscode.notebooks.createRendererMessaging(notebooks.renderer);
  private readonly open = new Map<string, OpenPage>();

  constructor(private readonly options: RendererPagesOptions) {
    super();
    this.register(
      this.messaging.onDidReceiveMessage((received: ReceivedMessage) => void this.take(received)),
    );
    this.register(vscode.workspace.onDidCloseNotebookDocument(({ uri }) => this.close(uri)));
    this.register(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const uri of closed.flatMap(listNotebooks)) if (!hasTab(uri)) this.close(uri);
      }),
    );
    this.register({ dispose: () => this.open.forEach(end) });
  }

  /** Sends a result's status to all pages, because any of them can show it. */
  notifyPages(status: ResultStatus): void {
    for (const { dispatcher } of this.open.values()) dispatcher.notify('resultChanged', status);
  }

  private async take({ editor, message }: ReceivedMessage): Promise<void> {
    if (!isPackedMessage(message)) return;
    const handlers = await this.options.handlers();
    if (this.isDisposed) return;
    const { page } = this.open.get(message.page) ?? this.add(message.page, editor, handlers);
    page.receive(message, editor);
  }

  private add(
    name: string,
    editor: vscode.NotebookEditor,
    handlers: HostHandlers<QueryNotebookProtocol>,
  ): OpenPage {
    const { presentError, log } = this.options;
    const page = new RendererPage(name, editor, this.messaging);
    const dispatcher = new WebviewDispatcher(
      queryNotebookProtocol,
      page,
      handlers,
      presentError,
      log,
    );
    const added = { page, dispatcher };
    this.open.set(name, added);
    return added;
  }

  private close(notebook: vscode.Uri): void {
    for (const [name, opened] of this.open) {
      if (opened.page.notebook.toString() !== notebook.toString()) continue;
      this.open.delete(name);
      end(opened);
    }
  }
}

function listNotebooks({ input }: vscode.Tab): readonly vscode.Uri[] {
  return input instanceof vscode.TabInputNotebook ? [input.uri] : [];
}

function hasTab(notebook: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(listNotebooks)
    .some((uri) => uri.toString() === notebook.toString());
}

function end({ page, dispatcher }: OpenPage): void {
  dispatcher.dispose();
  page.dispose();
}

type Messaging = Pick<vscode.NotebookRendererMessaging, 'postMessage'>;

/**
 * Page with a notebook editor's outputs. It outlives VS Code's editor object, which is replaced
 * whenever the editor's tab is activated.
 */
class RendererPage extends Disposable implements MessagePort {
  private readonly received = this.register(new Emitter<unknown>());
  readonly onDidReceiveMessage = this.received.event;

  constructor(
    private readonly page: string,
    private editor: vscode.NotebookEditor,
    private readonly messaging: Messaging,
  ) {
    super();
  }

  get notebook(): vscode.Uri {
    return this.editor.notebook.uri;
  }

  async postMessage(message: unknown): Promise<boolean> {
    const packed = packMessage(this.page, message);
    const { editor, messaging } = this;
    return (await messaging.postMessage(packed, editor)) || messaging.postMessage(packed);
  }

  /** Handles a message that the page sends from its current editor. */
  receive(packed: PackedMessage, editor: vscode.NotebookEditor): void {
    this.editor = editor;
    this.received.fire(unpackMessage(packed));
  }
}
