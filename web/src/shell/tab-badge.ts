import { useEffect } from 'react';

/** The tab says how many orders are new, whatever page is open in it and also while another one is looked at. */
export function useTabBadge(count: number) {
  useEffect(() => {
    const mark = () => {
      const plain = document.title.replace(/^\(\d+\) /, '');
      const marked = count > 0 ? `(${count}) ${plain}` : plain;
      if (marked !== document.title) document.title = marked;
    };
    mark();
    // Pages give the tab their own title.
    const watch = new MutationObserver(mark);
    const title = document.querySelector('title');
    if (title) watch.observe(title, { childList: true, characterData: true, subtree: true });
    return () => watch.disconnect();
  }, [count]);
}
