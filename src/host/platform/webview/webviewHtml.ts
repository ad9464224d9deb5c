import { randomBytes } from 'node:crypto';
import { type Translations, TRANSLATIONS_ID } from '../../../shared/translations';

const NONCE_BYTES = 18;

export interface WebviewPage {
  /** The frame's label for screen readers. */
  readonly title: string;
  /** URIs of the script and style sheet that the webview can load. */
  readonly scriptUri: string;
  readonly styleUri: string;
  /** The webview's origin for its content security policy. */
  readonly cspSource: string;
  /** BCP 47 tag of the page's language; English by default. */
  readonly language?: string | undefined;
  /** Translations for the page's strings; undefined for English. */
  readonly translations?: Translations | undefined;
}

/**
 * Returns the HTML page that all webviews use, which contains an empty element that the app's
 * script fills. The page can load only the script with the modules that it imports, its style sheet, and
 * resources that the script loads with the nonce. Connections are not allowed. Inline styles require the nonce, which the
 * component library reads from a `csp-nonce` element. Translations are JSON in a script element that
 * the browser doesn't run, so that they are available before the first rendering.
 */
export function webviewHtml(page: WebviewPage): string {
  const { title, scriptUri, styleUri, cspSource, language = 'en', translations } = page;
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const policy = `default-src 'none'; style-src ${cspSource} 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
    <meta property="csp-nonce" content="${nonce}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${escapeHtml(styleUri)}">
    <title>${escapeHtml(title)}</title>
  </head>
  <body>
    <main id="app"></main>${translations ? translationsHtml(translations) : ''}
    <script type="module" nonce="${nonce}" src="${escapeHtml(scriptUri)}"></script>
  </body>
</html>
`;
}

/** Escaping `<` keeps text from ending the element. */
function translationsHtml(translations: Translations): string {
  const json = JSON.stringify(translations).replaceAll('<', '\\u003c');
  return `
    <script type="application/json" id="${TRANSLATIONS_ID}">${json}</script>`;
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
