import type { Page } from '../model/history';

/** Reads page after page until the service says that there are no more, or `signal` aborts. */
export async function* allPages<T>(
  readPage: (pageToken: string | undefined) => Promise<Page<T>>,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const seen = new Set<string>();
  let token: string | undefined;
  do {
    signal?.throwIfAborted();
    const page = await readPage(token);
    yield* page.items;
    token = page.nextPageToken || undefined;
    // A service that repeats a token would keep us here for ever.
    if (token !== undefined && seen.has(token)) return;
    if (token !== undefined) seen.add(token);
  } while (token !== undefined);
}
