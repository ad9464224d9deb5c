import * as vscode from 'vscode';
import { Disposable, type DisposableLike } from '../../../base/disposable';
import type { webviews } from '../../../manifest/contributions';
import { webviewHtml } from '../webviewHtml';

/** Entry of the table of webview panels. */
type WebviewType = (typeof webviews)[keyof typeof webviews];

/**
 * Host side of one webview panel: its title, messages, and data. It's created before its page loads,
 * and disposed of when the panel closes.
 */
export interface PanelContent<Start> extends DisposableLike {
  /** Returns true if the panel was opened for the same target. */
  shows(start: Start): boolean;
  /** Reveals the panel and selects what `start` contains besides the target. */
  show(start: Start): void;
}

/** Panels of one type; `Start` is the target of a panel and its initial state. */
interface PanelOptions<Start, Content> {
  readonly type: WebviewType;
  readonly extensionUri: vscode.Uri;
  /** Parses the state that a page saved; undefined if invalid, for example from another version. */
  readonly parseState: (state: unknown) => Start | undefined;
  /** Loads the code of a panel, which most windows don't need. */
  readonly load: () => Promise<(panel: vscode.WebviewPanel, start: Start) => Content>;
  /** Position of new panels; the active column by default. */
  readonly position?: Parameters<typeof vscode.window.createWebviewPanel>[2];
}

/**
 * Open panels of one type, at most one for each target. Opens, reveals, and finds panels, and
 * restores them after a window reload.
 */
export class WebviewPanels<Start, Content extends PanelContent<Start>> extends Disposable {
  private readonly open = new Map<vscode.WebviewPanel, Content>();

  constructor(private readonly options: PanelOptions<Start, Content>) {
    super();
    this.register(
      vscode.window.registerWebviewPanelSerializer(options.type.viewType, {
        deserializeWebviewPanel: (panel, state) => this.restore(panel, state),
      }),
    );
    this.register({ dispose: () => this.open.forEach((content) => content.dispose()) });
  }

  /** The panel that has the focus; undefined if another tab is active. */
  get active(): Content | undefined {
    return [...this.open].find(([{ active }]) => active)?.[1];
  }

  /** Finds the panel of a target. */
  find(start: Start): Content | undefined {
    return [...this.open.values()].find((content) => content.shows(start));
  }

  /** Shows the panel of a target. Opens it if necessary. */
  async show(start: Start): Promise<Content> {
    // Loaded before the lookup, so that two concurrent requests get the same panel.
    const create = await this.options.load();
    const content = this.find(start);
    content?.show(start);
    if (content) return content;
    const { type, position = vscode.ViewColumn.Active } = this.options;
    return this.fill(vscode.window.createWebviewPanel(type.viewType, '', position), start, create);
  }

  /** Restores a panel. VS Code provides the panel and the state of its webview. */
  private async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const start = this.options.parseState(state);
    if (start === undefined) panel.dispose();
    else this.fill(panel, start, await this.options.load());
  }

  private fill(
    panel: vscode.WebviewPanel,
    start: Start,
    create: Awaited<ReturnType<PanelOptions<Start, Content>['load']>>,
  ): Content {
    const { type, extensionUri } = this.options;
    const content = create(panel, start);
    this.open.set(panel, content);
    panel.onDidDispose(() => {
      this.open.delete(panel);
      content.dispose();
    });
    panel.iconPath = new vscode.ThemeIcon(type.icon);
    fillWebview(panel, extensionUri, type);
    return content;
  }
}

/**
 * Fills a panel with the page of its app in `dist/webview`. The page can't load resources from any
 * other location.
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
  });
}
