import type * as vscode from 'vscode';

/**
 * Identifies documents by numbers in command links. With a URI, the message would be longer than VS
 * Code shows, and the URI would have to be escaped twice.
 */
export class ConflictNumbers {
  private readonly documents = new Map<number, vscode.Uri>();
  private readonly numbers = new Map<string, number>();

  getNumber(uri: vscode.Uri): number {
    const key = uri.toString();
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.numbers.size + 1;
    this.numbers.set(key, number);
    this.documents.set(number, uri);
    return number;
  }

  getDocument(number: number): vscode.Uri | undefined {
    return this.documents.get(number);
  }
}
