"""Eyes that users have: CLIP, SigLIP, OpenCLIP, Grounding DINO, OWLv2, YOLO-World, ONNX files.

Each is loaded by name (``load_encoder("clip:FOLDER")``; see ``perception.load``) from files on this
machine; nothing is downloaded. How to bring one's own: docs/guides/perception.md.
"""
