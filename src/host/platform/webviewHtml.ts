import { randomBytes } from 'node:crypto';

const NONCE_BYTES = 18;

export interface WebviewPage {
  /** What the frame's screen reader label says. */
  readonly title: string;
  /** Script and style sheet as the webview may load them. */
  readonly scriptUri: string;
  readonly styleUri: string;
  /** The webview's origin for content security policies. */
  readonly cspSource: string;
}

/**
 * The one page all webviews are: an empty element that the app's script fills. Nothing loads but that
 * script, its style sheet and what the script itself loads with the nonce; there is no connection to anywhere. Inline styles need the nonce, which the
 * component set reads from its `csp-nonce` element for a probe of its own.
 */
export function webviewHtml({ title, scriptUri, styleUri, cspSource }: WebviewPage): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const policy = `default-src 'none'; style-src ${cspSource} 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
    <meta property="csp-nonce" content="${nonce}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${escapeHtml(styleUri)}">
    <title>${escapeHtml(title)}</title>
  </head>
  <body>
    <main id="app"></main>
    <script nonce="${nonce}" src="${escapeHtml(scriptUri)}"></script>
  </body>
</html>
`;
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
