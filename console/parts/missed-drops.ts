/** A file that is dropped beside its place would open in the tab, and a form half filled in would be gone. */
export function ignoreMissedDrops(): void {
  for (const type of ['dragover', 'drop'] as const) {
    window.addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
  }
}
