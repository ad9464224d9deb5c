/**
 * Converts a VS Code snippet (`$1`, `${2:name}`, `$0`, `\$`) to the format of this editor, which
 * supports only placeholders in braces and treats any other dollar sign as text.
 */
export function snippetTemplate(snippet: string): string {
  return snippet.replaceAll(/\\([$\\])|\$(\d+)/g, (found, escaped?: string, tabStop?: string) => {
    if (escaped !== undefined) return escaped;
    return tabStop === undefined ? found : `\${${tabStop}}`;
  });
}
