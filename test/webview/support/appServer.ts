import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
};
/** Cache header for content that never changes at its URL. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Serves bundled apps, and the documents that load them, from a single origin, which is a secure
 * context like that of webviews. An app keeps its URL, so that Chromium doesn't compile it again
 * for each document.
 */
export class AppServer {
  private readonly contents = new Map<string, string>();
  private readonly folders = new Map<ReadonlyMap<string, string>, string>();
  private documents = 0;

  private constructor(readonly origin: string) {}

  /** Starts a server that doesn't keep the process alive. */
  static start(): Promise<AppServer> {
    return new Promise((resolve, reject) => {
      const server = createServer(({ url = '/' }, response) => {
        const { pathname } = new URL(url, 'http://localhost');
        const content = app.contents.get(pathname);
        const contentType = CONTENT_TYPES[extname(pathname)] ?? 'text/plain';
        response.writeHead(content === undefined ? 404 : 200, {
          'Content-Type': contentType,
          'Cache-Control': content === undefined ? 'no-store' : CACHE_CONTROL,
        });
        response.end(content ?? '');
      });
      let app: AppServer;
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        app = new AppServer(`http://127.0.0.1:${port}`);
        resolve(app);
      });
      server.unref();
    });
  }

  /** Serves the files of an app and returns the URL of their folder, without a trailing slash. */
  addFiles(files: ReadonlyMap<string, string>): string {
    const known = this.folders.get(files);
    if (known !== undefined) return this.origin + known;
    const folder = `/apps/${this.folders.size}`;
    this.folders.set(files, folder);
    for (const [path, content] of files) this.contents.set(folder + path, content);
    return this.origin + folder;
  }

  /** Serves a document and returns its URL. */
  addDocument(html: string): string {
    const path = `/documents/${this.documents}.html`;
    this.documents += 1;
    this.contents.set(path, html);
    return this.origin + path;
  }

  /** Stops serving a document. */
  removeDocument(url: string): void {
    this.contents.delete(new URL(url).pathname);
  }
}

let server: Promise<AppServer> | undefined;

/** Returns the server from which all pages of this process are loaded. */
export function sharedAppServer(): Promise<AppServer> {
  return (server ??= AppServer.start());
}
