import type * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { type PackedMessage, packMessage, unpackMessage } from '../../../shared/query/packedBytes';
import type { MessagePort } from '../../platform/webviewDispatcher';

type Messaging = Pick<vscode.NotebookRendererMessaging, 'postMessage'>;

/**
 * Page with the outputs of a notebook editor. It outlives VS Code's editor object, which is
 * replaced whenever the editor's tab is activated.
 */
export class RendererPage extends Disposable implements MessagePort {
  private readonly received = this.register(new Emitter<unknown>());
  readonly onDidReceiveMessage = this.received.event;

  constructor(
    private readonly page: string,
    private editor: vscode.NotebookEditor,
    private readonly messaging: Messaging,
  ) {
    super();
  }

  get notebook(): vscode.NotebookDocument {
    return this.editor.notebook;
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
