import * as vscode from 'vscode';
import { webviewHtml } from '../webviewHtml';
import { pageTranslations } from './pageTranslations';

/**
 * Fills a panel with the page of an app in `dist/webview`. The page can't load resources from any
 * other location.
 */
export function fillWebview(
  { webview, title }: vscode.WebviewPanel,
  extensionUri: vscode.Uri,
  app: string,
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
    translations: pageTranslations(extensionUri, app),
  });
}
