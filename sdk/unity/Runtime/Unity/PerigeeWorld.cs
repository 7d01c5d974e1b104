using System;
using System.Collections.Generic;
using UnityEngine;

namespace Perigee.Unity
{
    /// A player in a world of perigee. Each entity is a copy of the prefab with the name of its type,
    /// or a cube. perigee's x axis points to the left in Unity, because Unity is left-handed.
    public sealed class PerigeeWorld : MonoBehaviour
    {
        [Serializable]
        public struct Prefab
        {
            public string typeName;
            public GameObject prefab;
        }

        public string url = "http://127.0.0.1:40013";
        public string playerName = "Ada";
        public string credential = "";
        public Prefab[] prefabs = new Prefab[0];

        readonly Dictionary<uint, GameObject> objects = new Dictionary<uint, GameObject>();
        readonly HashSet<uint> drawn = new HashSet<uint>();
        readonly List<uint> gone = new List<uint>();
        Input controls;

        public Session Session { get; private set; }
        /// The avatar's GameObject; null while there is none.
        public GameObject Own { get; private set; }

        /// The controls of the next frame. Presses add up until it is sent. Unity's yaw, which grows
        /// clockwise from above, is -YawRad.
        public void Control(ref Input input)
        {
            Buttons pressed = controls.PressedButtons | input.PressedButtons;
            controls = input;
            controls.PressedButtons = pressed;
        }

        void OnEnable()
        {
            Session = null;
            try
            {
                Session = new Session(url, playerName, credential);
            }
            catch (PerigeeException problem) // e.g. without the client library
            {
                Stop(problem);
            }
        }

        void OnDisable()
        {
            if (Session != null) Session.Dispose();
            foreach (GameObject each in objects.Values) Destroy(each);
            objects.Clear();
            Own = null;
        }

        void Update()
        {
            if (Session == null) return;
            bool on = Session.Frame(ref controls);
            controls.PressedButtons = Buttons.None;
            controls.UseHandle = 0;
            if (on)
            {
                Draw();
                return;
            }
            Stop(Session.End);
        }

        void Stop(PerigeeException why)
        {
            Debug.LogError("perigee: " + why.Message);
            enabled = false;
        }

        void Draw()
        {
            drawn.Clear();
            Own = null;
            for (int i = 0; i < Session.Client.EntityCount; ++i)
            {
                Entity entity = Session.Client.Entities[i];
                GameObject shown = ObjectOf(entity);
                shown.transform.SetPositionAndRotation(Place(entity.WorldPositionM), Turn(entity.WorldRotation));
                drawn.Add(entity.Handle);
                if (entity.Own) Own = shown;
            }
            gone.Clear();
            foreach (uint handle in objects.Keys)
            {
                if (!drawn.Contains(handle)) gone.Add(handle);
            }
            foreach (uint handle in gone)
            {
                Destroy(objects[handle]);
                objects.Remove(handle);
            }
        }

        GameObject ObjectOf(Entity entity)
        {
            GameObject known;
            if (objects.TryGetValue(entity.Handle, out known)) return known;
            string type = Session.Client.TypeName(entity.Type);
            GameObject made = null;
            foreach (Prefab each in prefabs)
            {
                if (each.typeName == type) made = Instantiate(each.prefab, transform);
            }
            if (made == null)
            {
                made = GameObject.CreatePrimitive(PrimitiveType.Cube);
                made.transform.parent = transform;
            }
            made.name = type + " " + entity.Handle;
            return objects[entity.Handle] = made;
        }

        public static Vector3 Place(Vector m)
        {
            return new Vector3((float)-m.X, (float)m.Y, (float)m.Z);
        }

        public static Quaternion Turn(Rotation r)
        {
            return new Quaternion((float)r.X, (float)-r.Y, (float)-r.Z, (float)r.W);
        }
    }
}
