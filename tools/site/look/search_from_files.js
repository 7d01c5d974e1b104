// Browsers start no worker for a page that was opened as a file. Then the search's worker runs in a hidden frame.
if (location.protocol === 'file:') {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = Object.assign(document.createElement('iframe'), { hidden: true });
      this.ready = new Promise((done) => (this.frame.onload = done));
      // The worker answers by postMessage, which in a frame would be the frame's own inbox.
      this.frame.srcdoc = `<script>self.postMessage = (data) => self.answer(data)</${''}script>`;
      document.body.append(this.frame);
      this.ready = this.ready.then(() => this.load(url));
    }
    load(url) {
      const inside = this.frame.contentWindow;
      inside.answer = (data) => this.onmessage?.(new MessageEvent('message', { data }));
      const script = Object.assign(inside.document.createElement('script'), { src: new URL(url, location).href });
      return new Promise((done) => {
        script.onload = done;
        inside.document.head.append(script);
      });
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.onmessage(new MessageEvent('message', { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
