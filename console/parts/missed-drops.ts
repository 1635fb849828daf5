/** Without this, a file that misses its drop zone opens in the tab, and a half-filled form is lost. */
export function ignoreMissedDrops(): void {
  for (const type of ['dragover', 'drop'] as const) {
    window.addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
  }
}
