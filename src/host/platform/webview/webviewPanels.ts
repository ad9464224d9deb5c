import * as vscode from 'vscode';
import { Disposable, type DisposableLike } from '../../../base/disposable';
import type { ConnectionId } from '../../../core/model/ids';
import type { webviews } from '../../../manifest/contributions';
import type { SessionProvider } from '../sessionProvider';
import { webviewHtml } from './webviewHtml';
import { pageTranslations } from './pageTranslations';

/** Entry in the table of webview panels. */
type WebviewType = (typeof webviews)[keyof typeof webviews];

/** A panel's target: a resource, or the connection that several resources share. */
type PanelStart =
  | { readonly connectionId: ConnectionId }
  | { readonly target: { readonly connectionId: ConnectionId } };

/**
 * Host side of one webview panel: its title, messages, and data. It's created before its page loads,
 * and disposed of when the panel closes.
 */
export interface PanelContent<Start> extends DisposableLike {
  /** Target and state with which the panel starts again if its connection uses another service. */
  readonly start: Start;
  /** Returns true if the panel was opened for the same target. */
  shows(start: Start): boolean;
  /** Reveals the panel in its current state. */
  reveal(): void;
  /** Applies the rest of `start`, such as a filter, to an open panel. */
  select?(start: Start): unknown;
}

type CreateContent<Start, Content> = (panel: vscode.WebviewPanel, start: Start) => Content;

/** Panels of one type; `Start` is a panel's target and initial state. */
interface PanelOptions<Start, Content> {
  readonly type: WebviewType;
  readonly extensionUri: vscode.Uri;
  readonly sessions: Pick<SessionProvider, 'onDidMove'>;
  /** Parses the state that a page saved; undefined if invalid, for example from another version. */
  readonly parseState: (state: unknown) => Start | undefined;
  /** Loads a panel's code, which most windows don't need. */
  readonly load: () => Promise<CreateContent<Start, Content>>;
  /** Position of new panels; the active column by default. */
  readonly position?: Parameters<typeof vscode.window.createWebviewPanel>[2];
}

/**
 * Open panels of one type, at most one for each target. Opens, reveals, and finds panels, restores
 * them after a window reload, and starts them again if their connection uses another service.
 */
export class WebviewPanels<Start extends PanelStart, Content extends PanelContent<Start>>
  extends Disposable
  implements vscode.WebviewPanelSerializer
{
  private readonly open = new Map<vscode.WebviewPanel, Content>();
  /** Undefined until the code is loaded. */
  private create: CreateContent<Start, Content> | undefined;

  constructor(private readonly options: PanelOptions<Start, Content>) {
    super();
    this.register(vscode.window.registerWebviewPanelSerializer(options.type.viewType, this));
    this.register(options.sessions.onDidMove((id) => this.restart(id)));
    this.register({ dispose: () => this.open.forEach((content) => content.dispose()) });
  }

  /** The panel that has focus; undefined if another tab is active. */
  get active(): Content | undefined {
    return [...this.open].find(([{ active }]) => active)?.[1];
  }

  /** Finds the panel for a target. */
  find(start: Start): Content | undefined {
    return [...this.open.values()].find((content) => content.shows(start));
  }

  /** Reveals the panel for a target in its current state. Opens it with `start` if necessary. */
  async reveal(start: Start): Promise<Content> {
    return (await this.revealOrOpen(start)).content;
  }

  /** Shows the panel for a target in the state of `start`. Opens it if necessary. */
  async show(start: Start): Promise<Content> {
    const { content, isNew } = await this.revealOrOpen(start);
    if (!isNew) await content.select?.(start);
    return content;
  }

  private async revealOrOpen(start: Start): Promise<{ content: Content; isNew: boolean }> {
    // Loaded before the lookup, so that two concurrent requests get the same panel.
    const create = await this.load();
    const content = this.find(start);
    content?.reveal();
    if (content) return { content, isNew: false };
    const { type, position = vscode.ViewColumn.Active } = this.options;
    const panel = vscode.window.createWebviewPanel(type.viewType, '', position);
    return { content: this.add(panel, start, create), isNew: true };
  }

  /**
   * Restores a panel. VS Code provides the panel and the state of its webview when its tab is first
   * shown. If the target has been opened in another panel since the reload, that one is shown
   * instead.
   */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const start = this.options.parseState(state);
    if (start === undefined) {
      panel.dispose();
      return;
    }
    const closing = new AbortController();
    panel.onDidDispose(() => closing.abort());
    const create = await this.load();
    if (closing.signal.aborted) return;
    const content = this.find(start);
    if (content === undefined) {
      this.add(panel, start, create);
    } else {
      panel.dispose();
      content.reveal();
      await content.select?.(start);
    }
  }

  /**
   * Restarts a connection's panels, because their data comes from another service. Pages keep the
   * state that they save for window reloads.
   */
  private restart(id: ConnectionId): void {
    const { create } = this;
    if (!create) return;
    for (const [panel, content] of this.open) {
      const { start } = content;
      if (getConnectionId(start) !== id) continue;
      content.dispose();
      this.fill(panel, start, create);
    }
  }

  private async load(): Promise<CreateContent<Start, Content>> {
    this.create ??= await this.options.load();
    return this.create;
  }

  private add(
    panel: vscode.WebviewPanel,
    start: Start,
    create: CreateContent<Start, Content>,
  ): Content {
    panel.onDidDispose(() => {
      this.open.get(panel)?.dispose();
      this.open.delete(panel);
    });
    panel.iconPath = new vscode.ThemeIcon(this.options.type.icon);
    return this.fill(panel, start, create);
  }

  private fill(
    panel: vscode.WebviewPanel,
    start: Start,
    create: CreateContent<Start, Content>,
  ): Content {
    const content = create(panel, start);
    this.open.set(panel, content);
    fillWebview(panel, this.options.extensionUri, this.options.type);
    return content;
  }
}

function getConnectionId(start: PanelStart): ConnectionId {
  return 'target' in start ? start.target.connectionId : start.connectionId;
}

/**
 * Fills a panel with its app's page in `dist/webview`. The page can't load resources from any other
 * location.
 */
export function fillWebview(
  { webview, title }: vscode.WebviewPanel,
  extensionUri: vscode.Uri,
  { app }: WebviewType,
): void {
  const media = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const asset = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [media] };
  webview.html = webviewHtml({
    title,
    scriptUri: asset(`${app}.js`),
    styleUri: asset(`${app}.css`),
    cspSource: webview.cspSource,
    language: vscode.l10n.bundle && vscode.env.language,
    translations: pageTranslations(extensionUri, app),
  });
}
